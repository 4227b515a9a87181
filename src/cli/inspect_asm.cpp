#include "inspect_asm.hpp"

#include "variant_checks.hpp"

#include "kbuild/inspect/device_code.hpp"
#include "kbuild/process/command.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

/// Beside the compiler of the newest SDK; else the name, which is looked up on PATH.
fs::path find_objdump(const toolchain::FoundSdks& sdks) {
    for (auto sdk = sdks.rocm.rbegin(); sdk != sdks.rocm.rend(); ++sdk) {
        std::error_code error;
        const auto clang = fs::canonical(sdk->clang, error);
        const auto objdump = clang.parent_path() / "llvm-objdump";
        if (!error && support::is_file(objdump))
            return objdump;
    }
    return "llvm-objdump";
}

Result<std::string>
disassemble_one(const fs::path& objdump, const inspect::FoundCode& code, const fs::path& folder) {
    const auto object = folder / "code.o";
    KB_TRY(support::write_file_atomically(object, code.bytes));
    process::Command command;
    command.program = objdump;
    command.arguments = {"--disassemble",
                         "--no-show-raw-insn",
                         "--mcpu=" + code.arch.processor(),
                         "--disassemble-symbols=" + code.kernel,
                         object.string()};
    command.environment = process::clean_environment();
    process::RunOptions options;
    options.keep_bytes = std::size_t{256} << 20U;
    auto output = process::run_ok(command, ErrorKind::toolchain, options);
    if (!output)
        return support::pass_on(std::move(output),
                                "disassembling with `llvm-objdump`, of an SDK (`kbuild toolchain "
                                "add rocm@7.2`) or of PATH (Debian: `llvm`)");
    // What comes before the first label names the temporary file.
    const auto start = output->out.find("Disassembly of section");
    return start == std::string::npos ? std::move(output->out) : output->out.substr(start);
}

} // namespace

Result<std::string> disassemble(const Context& context,
                                const std::vector<InspectedFile>& files,
                                const std::string& kernel) {
    KB_TRY_ASSIGN(folder, support::TempDir::create_temporary("kbuild-disassembly-"));
    std::string text;
    fs::path objdump;
    for (const auto& file : files) {
        KB_TRY_ASSIGN(found, inspect::find_kernel(file.path, kernel));
        if (!found.empty() && objdump.empty())
            objdump = find_objdump(sdks_at_hand(context));
        for (const auto& code : found) {
            KB_TRY_ASSIGN(assembly, disassemble_one(objdump, code, folder.path()));
            text += fmt::format(
                "{} {}\n{}\n", support::display_path(file.shown), code.arch.to_string(), assembly);
        }
    }
    if (text.empty())
        return support::fail(ErrorKind::nothing,
                             fmt::format("there is no kernel `{}`", kernel),
                             "`kbuild inspect` lists the kernels; give one as it stands there");
    return text;
}

} // namespace kbuild::cli
