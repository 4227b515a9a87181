#include "kbuild/support/environment.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/host.hpp"

#include <fmt/format.h>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

Result<fs::path> need(std::initializer_list<const char*> names, const std::string& package) {
    for (const auto* name : names)
        if (const auto path = support::find_program(name))
            return *path;
    return support::fail(ErrorKind::toolchain,
                         fmt::format("`{}` is not on PATH", *names.begin()),
                         "apt-get install " + package);
}

/// `clang++-19` -> `clang-19`, `g++` -> `gcc`; a name of another shape stays: `c++` compiles C as
/// well.
std::string c_driver_name(const std::string& cxx) {
    if (support::contains(cxx, "clang++"))
        return support::replace_all(cxx, "clang++", "clang");
    if (support::contains(cxx, "g++"))
        return support::replace_all(cxx, "g++", "gcc");
    return cxx;
}

std::string_view why_not_runnable(const fs::path& program) {
    if (!program.has_parent_path())
        return "it is not on PATH";
    std::error_code code;
    switch (fs::status(program, code).type()) {
    case fs::file_type::not_found:
        return "it does not exist";
    case fs::file_type::directory:
        return "it is a folder";
    case fs::file_type::regular:
        return "it is not executable";
    default:
        return "it is no program";
    }
}

Result<fs::path> host_compiler(const std::string& wanted) {
    if (wanted.empty())
        return need({"clang++-19", "g++"}, "g++");
    if (const auto path = support::find_program(wanted))
        return *path;
    return support::fail(
        ErrorKind::toolchain,
        fmt::format("the host compiler `{}` cannot be used: {}", wanted, why_not_runnable(wanted)),
        "install it, or change `[build] host-cxx` in kbuild.toml");
}

} // namespace

Result<HostTools> find_host_tools(const std::string& host_cxx) {
    HostTools tools;
    KB_TRY_ASSIGN(cmake, need({"cmake"}, "cmake"));
    KB_TRY_ASSIGN(ninja, need({"ninja", "ninja-build"}, "ninja-build"));
    KB_TRY_ASSIGN(cxx, host_compiler(host_cxx));
    tools.cmake = cmake;
    tools.ninja = ninja;
    tools.cxx = cxx;
    const auto c = cxx.parent_path() / c_driver_name(cxx.filename().string());
    tools.c = support::find_program(c.string()).value_or(cxx);
    tools.ccache = support::find_program("ccache");
    return tools;
}

} // namespace kbuild::toolchain
