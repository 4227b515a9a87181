#include "kbuild/toolchain/probe.hpp"

#include "proof_cache.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/embedded.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
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
    return support::TempDir::create_temporary("kbuild-probe-");
}

std::vector<std::string> compile_arguments(const model::RocmSdk& sdk,
                                           const std::vector<std::string>& archs,
                                           const fs::path& source,
                                           const fs::path& object) {
    std::vector<std::string> arguments{"-x",
                                       "hip",
                                       "-isystem",
                                       sdk.include.string(),
                                       "--rocm-path=" + sdk.root.string(),
                                       "--rocm-device-lib-path=" + sdk.bitcode.string(),
                                       "-O2",
                                       "-fPIC",
                                       // Errors end with what is wrong, not with where macros
                                       // come from.
                                       "-fno-caret-diagnostics",
                                       "-fmacro-backtrace-limit=1",
                                       "-MD",
                                       "-MF",
                                       object.string() + ".d",
                                       "-c",
                                       source.string(),
                                       "-o",
                                       object.string()};
    for (const auto& arch : archs)
        arguments.push_back("--offload-arch=" + arch);
    return arguments;
}

/// The headers that were compiled with are the SDK's own.
Result<void> check_headers(const model::RocmSdk& sdk, const fs::path& dependencies) {
    KB_TRY_ASSIGN(text, support::read_file(dependencies));
    const auto used = hip_version_header(text);
    std::error_code code;
    if (used.empty() || fs::equivalent(used, sdk.include / "hip/hip_version.h", code))
        return {};
    return support::fail(ErrorKind::toolchain,
                         fmt::format("`{}` was compiled with, and not the header of {} in `{}`",
                                     used.string(),
                                     sdk.name,
                                     sdk.include.string()),
                         fmt::format("remove the package that `dpkg -S {}` names", used.string()));
}

Result<void> check_device_code(const model::RocmSdk& sdk,
                               const fs::path& library,
                               const elf::ElfFile& file,
                               const std::vector<std::string>& archs) {
    const auto* bundle = file.section(".hip_fatbin");
    if (bundle == nullptr)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("the compiler of {} left no device code", sdk.name));
    KB_TRY_ASSIGN(bytes, elf::read_section(library, *bundle));
    for (const auto& arch : archs)
        if (!support::contains(bytes, "amdgcn-amd-amdhsa--" + arch))
            return support::fail(
                ErrorKind::toolchain,
                fmt::format("the device code of {} is not for {}", sdk.name, arch));
    return {};
}

/// One that `-z defs` lets link only if the stubs have every name that is used.
std::vector<std::string> binding_arguments(const model::TorchSdk& sdk,
                                           const model::RocmSdk* rocm,
                                           const fs::path& source,
                                           const fs::path& library) {
    std::vector<std::string> arguments{"-std=c++20", "-O0", "-fPIC", "-shared"};
    std::vector<fs::path> includes = sdk.include;
    std::vector<std::string> names{"libtorch.so", "libtorch_cpu.so", "libc10.so"};
    if (rocm != nullptr) {
        arguments.insert(arguments.end(), {"-DUSE_ROCM=1", "-D__HIP_PLATFORM_AMD__=1"});
        includes.insert(includes.begin(), sdk.rocm_include.begin(), sdk.rocm_include.end());
        includes.push_back(rocm->include);
        names.insert(names.begin(), {"libtorch_hip.so", "libc10_hip.so"});
    }
    includes.push_back(sdk.python_include);
    for (const auto& folder : includes)
        arguments.insert(arguments.end(), {"-isystem", folder.string()});
    arguments.push_back(source.string());
    for (const auto& name : names)
        arguments.push_back((sdk.stub_dir / name).string());
    if (rocm != nullptr)
        arguments.push_back(rocm->hip_library.string());
    arguments.insert(arguments.end(), {"-Wl,-z,defs", "-o", library.string()});
    return arguments;
}

std::string proof_key(const model::RocmSdk& sdk, const HostTools& tools) {
    support::Fingerprint print;
    std::error_code code;
    const auto time = fs::last_write_time(tools.cxx, code);
    return print.add("kind", "rocm-proof")
        .add("sdk", sdk.fingerprint)
        .add("place", sdk.root.string())
        .add("probe", support::embedded::find(support::embedded::templates(), "sdk/probe.hip"))
        .add("cxx", tools.cxx.string())
        .add("time", code ? std::string() : std::to_string(time.time_since_epoch().count()))
        .hex();
}

} // namespace

fs::path hip_version_header(const std::string& dependencies) {
    constexpr std::string_view kName = "hip/hip_version.h";
    // A backslash before the end of a line continues it, one before a blank makes it part of a
    // name.
    auto text = support::replace_all(dependencies, "\\\n", " ");
    text = support::replace_all(std::move(text), "\\ ", std::string(1, '\0'));
    for (auto& name : support::split(support::replace_all(std::move(text), "\n", " "), ' '))
        if (name.ends_with(kName))
            return support::replace_all(std::move(name), std::string(1, '\0'), " ");
    return {};
}

std::string advice_for(const std::string& said, const model::RocmSdk& sdk) {
    if (support::contains(said, "'cmath' file not found"))
        return "clang takes the newest GCC folder, whose C++ headers are missing: install the "
               "`libstdc++-N-dev` of the version that `clang++ -v` names as the selected GCC";
    if (support::contains(said, "cannot find ROCm device library") ||
        support::contains(said, "Unknown attribute kind"))
        return fmt::format("the device libraries in `{}` do not fit this compiler: install "
                           "`rocm-device-libs` of the compiler's own release",
                           sdk.bitcode.string());
    if (support::contains(said, "Invalid version") ||
        support::contains(said, "redefinition of 'hip"))
        return "headers of two HIP versions meet: remove the distribution's `libamdhip64-dev`";
    if (support::contains(said, "call to __host__ function from __global__ function") &&
        !support::path_exists(sdk.root / "share/hip/version") &&
        !support::path_exists(sdk.root / "bin/.hipVersion"))
        return fmt::format("clang finds no `share/hip/version` in `{}` and takes it for HIP 3.5: "
                           "install the package of HIP's headers again",
                           sdk.root.string());
    return {};
}

Result<std::string> try_rocm(const model::RocmSdk& sdk, const std::vector<std::string>& archs) {
    KB_TRY_ASSIGN(tools, find_host_tools({}));
    KB_TRY_ASSIGN(scratch, scratch_folder());
    KB_TRY_ASSIGN(source, write_source(scratch.path(), "probe.hip"));
    const auto object = scratch.path() / "probe.o";
    const auto library = scratch.path() / "probe.so";
    auto compiled = run_step(fmt::format("compiling a kernel with {}", sdk.name),
                             sdk.clang,
                             compile_arguments(sdk, archs, source, object));
    if (!compiled && compiled.error().hint.empty())
        compiled.error().hint = advice_for(compiled.error().message, sdk);
    KB_TRY(compiled);
    KB_TRY(check_headers(sdk, object.string() + ".d"));
    KB_TRY(
        run_step(fmt::format("linking a kernel of {}", sdk.name),
                 tools.cxx,
                 {"-shared", "-o", library.string(), object.string(), sdk.hip_library.string()}));
    KB_TRY_ASSIGN(file, elf::read_elf(library));
    if (!needs(file, sdk.hip_soname))
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("a library linked with {} does not need `{}`", sdk.name, sdk.hip_soname));
    KB_TRY(check_device_code(sdk, library, file, archs));
    return fmt::format("compiled for {} with HIP {}'s own headers, bitcode of `{}`, needs {}",
                       support::join(archs, ", "),
                       sdk.full_version,
                       sdk.bitcode.string(),
                       sdk.hip_soname);
}

Result<std::string> prove_rocm(const model::RocmSdk& sdk) {
    KB_TRY_ASSIGN(tools, find_host_tools({}));
    const auto key = proof_key(sdk, tools);
    if (auto known = recall_proof(key))
        return std::move(*known);
    KB_TRY_ASSIGN(outcome, try_rocm(sdk));
    remember_proof(key, outcome);
    return outcome;
}

Result<std::string> try_torch(const model::TorchSdk& sdk, const model::RocmSdk* rocm) {
    KB_TRY_ASSIGN(tools, find_host_tools({}));
    KB_TRY_ASSIGN(scratch, scratch_folder());
    KB_TRY_ASSIGN(source, write_source(scratch.path(), "probe_torch.cpp"));
    const auto library = scratch.path() / "probe.so";
    KB_TRY(run_step(fmt::format("compiling and linking a binding with {}", sdk.name),
                    tools.cxx,
                    binding_arguments(sdk, rocm, source, library)));
    KB_TRY_ASSIGN(file, elf::read_elf(library));
    if (!needs(file, "libc10.so"))
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("a library linked with {} does not need `libc10.so`", sdk.name));
    return fmt::format("a binding{} compiled, its stubs have all names that it uses",
                       rocm == nullptr ? "" : fmt::format(" for ROCm {}", rocm->version.dotted()));
}

} // namespace kbuild::toolchain
