#include "python.hpp"

#include "kbuild/support/embedded.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/toolchain/tool_environment.hpp"

#include <fmt/format.h>

namespace kbuild::toolchain {

using support::ErrorKind;
using support::Result;

Result<void> need_python() {
    if (!support::find_program("python3"))
        return support::fail(ErrorKind::toolchain,
                             "`python3` is not on PATH",
                             "apt-get install python3 python3-pip");
    return {};
}

Result<process::Output> run_script(std::string_view name, std::vector<std::string> arguments) {
    KB_TRY(need_python());
    const auto text =
        support::embedded::find(support::embedded::data(), fmt::format("python/{}", name));
    arguments.insert(arguments.begin(), {"-I", "-c", std::string(text)});
    return process::run({"python3", std::move(arguments), {}, fetch_environment()});
}

Result<std::string> run_script_ok(std::string_view name, std::vector<std::string> arguments) {
    KB_TRY_ASSIGN(output, run_script(name, std::move(arguments)));
    if (!output.status.ok())
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("`{}` failed ({}): {}", name, output.status.describe(), output.err));
    return output.out;
}

} // namespace kbuild::toolchain
