#include "compile_options.hpp"

#include "kbuild/build/driver.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::build {
namespace {

using generate::Library;
using model::Backend;

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

bool uses_extension_name(const std::vector<const Unit*>& units) {
    return std::any_of(
        units.begin(), units.end(), [](const Unit* unit) { return unit->facts.extension_name; });
}

bool mentions(const std::vector<std::string>& flags, std::string_view text) {
    return std::any_of(flags.begin(), flags.end(), [text](const std::string& flag) {
        return support::contains(flag, text);
    });
}

/// Compilation-unit id of a HIP source. Clang's own hash covers the output path, so that the same
/// source would give other bytes in another folder; it must differ between the units of one library
/// (toolchain.md 7).
std::string cuid(const config::BuildConfig& config, const Unit& unit) {
    return support::Fingerprint()
        .add("kernel", config.general.name.value.text())
        .add("source", unit.relative)
        .hex()
        .substr(0, 16);
}

/// Torch's headers need C++20 from 2.12 on (upstream.md 3.4).
std::string torch_standard(const model::TorchSdk& torch) {
    return torch.version < model::Version({2, 12}) ? "-std=c++17" : "-std=c++20";
}

std::vector<std::string> backend_definitions(Backend backend) {
    if (backend == Backend::rocm)
        return {"USE_ROCM=1", "ROCM_KERNEL"};
    return {"CPU_KERNEL"};
}

std::string without_driver_name(const std::string& compiler) {
    return std::filesystem::path(compiler).filename().string();
}

} // namespace

Library CompileOptions::common_library(const Component& component,
                                       const std::vector<const Unit*>& units,
                                       Backend backend,
                                       const model::TorchSdk* torch) const {
    Library library;
    library.definitions = backend_definitions(backend);
    if (torch != nullptr || uses_extension_name(units))
        library.definitions.push_back(
            "TORCH_EXTENSION_NAME=" +
            model::ops_id(config_.general.name.value, backend, inputs_.unique_id));
    library.includes = component.includes;
    library.includes.push_back((inputs_.root / "csrc").string());
    if (torch != nullptr)
        library.includes.push_back(inputs_.headers.string());
    library.options.push_back(fmt::format("-ffile-prefix-map={}=.", inputs_.root.string()));
    // ccache hands compilers the project's paths relative to the work folder (CCACHE_BASEDIR): the
    // same names are to stand in the object. The last map that fits counts.
    append(library.options, {"-ffile-prefix-map=..=./.kbuild", "-ffile-prefix-map=../..=."});
    if (torch != nullptr)
        add_torch(library, backend, *torch);
    append(library.options, component.cxx_flags);
    return library;
}

/// The oldest torch whose stable ABI may be used, as torch's headers take it: one byte a component
/// from the top (upstream.md 3.11).
std::optional<std::string> CompileOptions::target_version(Backend backend) const {
    const auto& stable = config_.framework.stable_abi;
    const auto found = stable.find(backend);
    if (found == stable.end())
        return std::nullopt;
    const auto& version = found->second;
    return fmt::format("TORCH_TARGET_VERSION={:#018x}",
                       (std::uint64_t{version.major()} << 56U) |
                           (std::uint64_t{version.minor()} << 48U));
}

void CompileOptions::add_torch(Library& library,
                               Backend backend,
                               const model::TorchSdk& torch) const {
    // The limited API of Python 3.9: one binary for all later Pythons (upstream.md 4.2).
    library.definitions.emplace_back("Py_LIMITED_API=0x03090000");
    if (auto version = target_version(backend))
        library.definitions.push_back(std::move(*version));
    if (backend == Backend::rocm) {
        library.definitions.emplace_back("__HIP_PLATFORM_AMD__=1");
        for (const auto& folder : torch.rocm_include)
            library.system_includes.push_back(folder.string());
    }
    for (const auto& folder : torch.include)
        library.system_includes.push_back(folder.string());
    library.system_includes.push_back(torch.python_include.string());
    library.options.push_back(torch_standard(torch));
    // Torch's headers put their own paths into every object.
    library.options.push_back(fmt::format(
        "-ffile-prefix-map={}=/torch-{}", torch.root.string(), torch.version.to_string()));
}

Library CompileOptions::host_library(const Component& component,
                                     const std::vector<const Unit*>& units,
                                     Backend backend,
                                     const model::TorchSdk* torch) const {
    auto library = common_library(component, units, backend, torch);
    // What upstream compiles C++ with for every torch from 2.12 on, so that both halves of a kernel
    // agree.
    if (torch == nullptr)
        library.options.insert(library.options.begin(), "-std=c++20");
    // Without it g++ makes process-wide unique statics, which two kernels in one process would
    // share (upstream.md 3.4).
    if (!support::contains(without_driver_name(inputs_.tools.cxx.string()), "clang"))
        library.options.insert(library.options.begin(), "-fno-gnu-unique");
    for (const auto* unit : units)
        library.sources.push_back({unit->path.string(), {}});
    return library;
}

Library CompileOptions::device_library(const Component& component,
                                       const std::vector<const Unit*>& units,
                                       const model::RocmSdk& rocm,
                                       const model::TorchSdk* torch,
                                       const std::vector<model::GfxArch>& archs) const {
    auto library = common_library(component, units, Backend::rocm, torch);
    // First, so that this SDK's headers win over a distribution's in /usr/include: clang adds them
    // with -idirafter.
    library.system_includes.insert(library.system_includes.begin(), rocm.include.string());
    library.options.push_back(fmt::format("-ffile-prefix-map={}=/rocm", rocm.root.string()));
    for (const auto* unit : units) {
        if (unit->kind == sources::SourceKind::host) {
            library.sources.push_back({unit->path.string(), {"-D__HIP_PLATFORM_AMD__=1"}});
            continue;
        }
        std::vector<std::string> options{"--rocm-path=" + rocm.root.string(),
                                         "-cuid=" + cuid(config_, *unit)};
        for (const auto& arch : archs)
            options.push_back("--offload-arch=" + arch.to_string());
        // One code object version over the whole matrix, whatever the compiler's default is
        // (toolchain.md 4).
        if (!mentions(component.hip_flags, "-mcode-object-version"))
            options.emplace_back("-mcode-object-version=5");
        append(options, component.hip_flags);
        library.sources.push_back({unit->path.string(), std::move(options)});
    }
    return library;
}

generate::HipToolchain CompileOptions::hip_toolchain(const model::RocmSdk& rocm) const {
    generate::HipToolchain hip;
    hip.rocm_root = rocm.root.string();
    hip.clang = rocm.clang.string();
    // A driver that is not there was refused before the plan was made.
    const auto driver = choose_driver(inputs_.driver, rocm).value_or(rocm.clang);
    if (driver != rocm.clang)
        hip.driver = driver.string();
    hip.driver_environment = {"ROCM_PATH=" + hip.rocm_root,
                              "HIP_PATH=" + hip.rocm_root,
                              "HIP_CLANG_PATH=" + rocm.clang.parent_path().string(),
                              "HIP_PLATFORM=amd"};
    hip.first_arch = "gfx942";
    return hip;
}

std::vector<std::string> CompileOptions::link_files(const matrix::Selected& selected) const {
    std::vector<std::string> files;
    const auto add_stub = [&](const char* name) {
        files.push_back((selected.torch->stub_dir / name).string());
    };
    // Before torch's libraries: libtorch_cpu exports names of libstdc++, and what binds to these
    // breaks with another torch.
    if (inputs_.baseline)
        for (const auto& file : inputs_.baseline->first)
            files.push_back(file.string());
    // What compilers add at the end, and the small libraries: for each one that may not be needed
    // GNU ld copies the table of all names before it, and torch's large ones have 120,000.
    files.insert(files.end(), {"-lm", "-lgcc_s", "-lgcc", "-lc"});
    add_stub("libc10.so");
    if (selected.rocm != nullptr) {
        add_stub("libc10_hip.so");
        files.push_back(selected.rocm->hip_library.string());
        add_stub("libtorch_hip.so");
    }
    add_stub("libtorch_cpu.so");
    return files;
}

std::vector<std::string> CompileOptions::link_options() const {
    const auto exports = inputs_.work.parent_path() / "trees" / "host" / "exports.map";
    std::vector<std::string> options{"-nodefaultlibs", // they are among link_files
                                     "-Wl,-z,relro,-z,now",
                                     "-Wl,-z,noexecstack",
                                     "-Wl,--build-id=sha1",
                                     "-Wl,--gc-sections",
                                     "-Xlinker",
                                     "--version-script=" + exports.string()};
    if (inputs_.baseline)
        options.insert(options.begin(), "-L" + inputs_.baseline->folder.string());
    return options;
}

} // namespace kbuild::build
