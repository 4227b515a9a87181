#include "kbuild/toolchain/probe.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/embedded.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/toolchain/host.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

Result<void>
run_step(const std::string& what, const fs::path& program, std::vector<std::string> arguments) {
    auto output = process::run_ok({program, std::move(arguments), {}, process::clean_environment()},
                                  ErrorKind::toolchain);
    if (!output)
        return support::pass_on(std::move(output), what);
    return {};
}

Result<fs::path> write_source(const fs::path& folder, const std::string& name) {
    const auto text = support::embedded::find(support::embedded::templates(), "sdk/" + name);
    KB_TRY(support::write_file_atomically(folder / name, text));
    return folder / name;
}

bool needs(const elf::ElfFile& file, const std::string& library) {
    return std::find(file.needed.begin(), file.needed.end(), library) != file.needed.end();
}

Result<support::TempDir> scratch_folder() {
    std::error_code code;
    return support::TempDir::create(fs::temp_directory_path(code), "kbuild-probe-");
}

} // namespace

Result<std::string> try_rocm(const model::RocmSdk& sdk) {
    KB_TRY_ASSIGN(tools, find_host_tools({}));
    KB_TRY_ASSIGN(scratch, scratch_folder());
    KB_TRY_ASSIGN(source, write_source(scratch.path(), "probe.hip"));
    const auto object = scratch.path() / "probe.o";
    const auto library = scratch.path() / "probe.so";
    KB_TRY(run_step(fmt::format("compiling a kernel with {}", sdk.name),
                    sdk.clang,
                    {"-x",
                     "hip",
                     "-isystem",
                     sdk.include.string(),
                     "--rocm-path=" + sdk.root.string(),
                     "--rocm-device-lib-path=" + sdk.bitcode.string(),
                     "--offload-arch=gfx942",
                     "-O2",
                     "-fPIC",
                     "-c",
                     source.string(),
                     "-o",
                     object.string()}));
    KB_TRY(
        run_step(fmt::format("linking a kernel of {}", sdk.name),
                 tools.cxx,
                 {"-shared", "-o", library.string(), object.string(), sdk.hip_library.string()}));
    KB_TRY_ASSIGN(file, elf::read_elf(library));
    if (!needs(file, sdk.hip_soname))
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("a library linked with {} does not need `{}`", sdk.name, sdk.hip_soname));
    const auto* bundle = file.section(".hip_fatbin");
    if (bundle == nullptr)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("the compiler of {} left no device code", sdk.name));
    KB_TRY_ASSIGN(bytes, elf::read_section(library, *bundle));
    if (!support::contains(bytes, "amdgcn-amd-amdhsa--gfx942"))
        return support::fail(ErrorKind::toolchain,
                             fmt::format("the device code of {} is not for gfx942", sdk.name));
    return fmt::format("compiled for gfx942, needs {}", sdk.hip_soname);
}

Result<std::string> try_torch(const model::TorchSdk& sdk) {
    KB_TRY_ASSIGN(tools, find_host_tools({}));
    KB_TRY_ASSIGN(scratch, scratch_folder());
    KB_TRY_ASSIGN(source, write_source(scratch.path(), "probe_torch.cpp"));
    const auto library = scratch.path() / "probe.so";
    std::vector<std::string> arguments{"-std=c++20", "-O0", "-fPIC", "-shared"};
    for (const auto& folder : sdk.include)
        arguments.insert(arguments.end(), {"-isystem", folder.string()});
    arguments.insert(arguments.end(), {"-isystem", sdk.python_include.string(), source.string()});
    for (const auto* name : {"libtorch_cpu.so", "libc10.so"})
        arguments.push_back((sdk.stub_dir / name).string());
    arguments.insert(arguments.end(), {"-Wl,-z,defs", "-o", library.string()});
    KB_TRY(run_step(fmt::format("compiling and linking with {}", sdk.name), tools.cxx, arguments));
    KB_TRY_ASSIGN(file, elf::read_elf(library));
    if (!needs(file, "libc10.so"))
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("a library linked with {} does not need `libc10.so`", sdk.name));
    return "compiled and linked against its stubs";
}

} // namespace kbuild::toolchain
