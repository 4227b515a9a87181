#include "kbuild/generate/project.hpp"

#include "kbuild/generate/cmake_writer.hpp"
#include "kbuild/generate/scaffold.hpp"
#include "kbuild/generate/tree.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/model/kernel_name.hpp"
#include "kbuild/support/embedded.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace kbuild::generate {
namespace {

using model::Backend;
using support::ErrorKind;
using Texts = std::vector<std::string>;

constexpr std::array kBackends = {Backend::cpu, Backend::rocm};

std::string project_text(std::string_view name) {
    return std::string(
        support::embedded::find(support::embedded::templates(), "generate/" + std::string(name)));
}

Texts values(const config::Strings& strings) {
    Texts result;
    for (const auto& entry : strings)
        result.push_back(entry.value);
    return result;
}

/// A target's name for a section's: TOML keys may hold anything. The number keeps them apart.
std::string target_name(const std::string& section, std::size_t number) {
    std::string name = section;
    for (char& c : name)
        if (!support::contains("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
                               std::string_view(&c, 1)))
            c = '_';
    return fmt::format("{}_{}", name, number);
}

Texts archs_of(const config::KernelComponent& kernel) {
    Texts names;
    for (const auto& arch : kernel.rocm_archs)
        names.push_back(arch.value.to_string());
    if (names.empty())
        for (const auto& arch : model::default_rocm_archs())
            names.push_back(arch.to_string());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

void write_binding(CMakeWriter& out, const config::Framework& framework) {
    out.set_items("KERNEL_binding_SOURCE", values(framework.src));
    out.set_items("KERNEL_binding_INCLUDE",
                  framework.include ? values(*framework.include) : Texts());
    out.set("KERNEL_binding_CXX_OPTIONS", option_entry(values(framework.cxx_flags)));
    out.set("KERNEL_binding_HIP_OPTIONS", "");
}

void write_kernel(CMakeWriter& out,
                  const std::string& target,
                  const config::KernelComponent& kernel) {
    const auto prefix = "KERNEL_" + target;
    out.set_items(prefix + "_SOURCE", values(kernel.src));
    out.set_items(prefix + "_INCLUDE", values(kernel.include));
    out.set(prefix + "_CXX_OPTIONS", option_entry(values(kernel.cxx_flags)));
    out.set(prefix + "_HIP_OPTIONS", option_entry(values(kernel.hip_flags)));
    if (kernel.backend == Backend::rocm)
        out.set_words(prefix + "_ARCHS", archs_of(kernel));
}

/// The bounds by major.minor, as kbuild and upstream's Nix compare them: 2.13.1 is within 2.13.
void write_bounds(CMakeWriter& out, const model::VersionRange& bounds) {
    out.set("KERNEL_TORCH_MIN", bounds.min ? bounds.min->dotted() : "");
    out.set("KERNEL_TORCH_BELOW",
            bounds.max ? fmt::format("{}.{}", bounds.max->major(), bounds.max->minor() + 1) : "");
}

std::string target_version(const model::Version& version) {
    return fmt::format("{:#018x}",
                       (std::uint64_t{version.major()} << 56U) |
                           (std::uint64_t{version.minor()} << 48U));
}

/// Which files of the package are shipped, as a regular expression of CMake.
std::string shipped(const config::BuildConfig& config) {
    Texts extensions{"py"};
    for (const auto& extension : config.data_extensions())
        extensions.push_back(support::replace_all(extension, ".", "[.]"));
    return fmt::format("[.]({})$", support::join(extensions, "|"));
}

std::string data_file(const config::BuildConfig& config, std::string_view unique_id) {
    CMakeWriter out;
    out.comment("Written by `kbuild generate` from build.toml; read by CMakeLists.txt.");
    out.set("KERNEL_MODULE", config.general.name.value.module());
    out.set("KERNEL_UNIQUE_ID", unique_id);
    out.set("KERNEL_SHIPPED", shipped(config));
    write_bounds(out, config.framework.versions);
    Texts backends;
    write_binding(out, config.framework);
    std::size_t number = 0;
    for (const auto backend : kBackends) {
        const auto kernels = config.kernels_of(backend);
        if (!config.has_backend(backend) || kernels.empty())
            continue;
        const std::string name(to_string(backend));
        backends.push_back(name);
        Texts components{"binding"};
        for (const auto* kernel : kernels) {
            components.push_back(target_name(kernel->name, number++));
            write_kernel(out, components.back(), *kernel);
        }
        out.set_words("KERNEL_COMPONENTS_" + name, components);
        const auto stable = config.framework.stable_abi.find(backend);
        if (stable != config.framework.stable_abi.end())
            out.set("KERNEL_STABLE_ABI_" + name, target_version(stable->second));
    }
    out.set_words("KERNEL_BACKENDS", backends);
    return out.text();
}

std::string quoted_list(const Texts& texts) {
    Texts quoted;
    for (const auto& text : texts)
        quoted.push_back("\"" + text + "\"");
    return support::join(quoted, ", ");
}

std::map<std::string, std::string> python_values(const config::BuildConfig& config) {
    Texts dependencies = values(config.general.python_depends);
    for (auto& name : dependencies)
        if (name == "tvm-ffi")
            name = "apache-tvm-ffi";
    dependencies.insert(dependencies.begin(), "torch");
    Texts data{"*.abi3.so"};
    for (const auto& extension : config.data_extensions())
        data.push_back("**/*." + extension);
    return {{"name", config.general.name.value.text()},
            {"module", config.general.name.value.module()},
            {"version", std::to_string(config.general.version)},
            {"dependencies", quoted_list(dependencies)},
            {"data", quoted_list(data)}};
}

bool lists_file(const config::BuildConfig& config, std::string_view path) {
    const auto& src = config.framework.src;
    return std::any_of(
        src.begin(), src.end(), [path](const auto& entry) { return entry.value == path; });
}

std::string manifest(const model::FileSet& files) {
    std::string text = "# Written by `kbuild generate`; `kbuild clean` removes these files.\n";
    for (const auto& [path, bytes] : files)
        text += fmt::format("{}  {}\n", support::to_hex(support::sha256(bytes)), path);
    return text;
}

model::FileSet with_manifest(model::FileSet files) {
    files[std::string(kManifest)] = manifest(files);
    return files;
}

bool has_kernels(const config::BuildConfig& config) {
    return std::any_of(kBackends.begin(), kBackends.end(), [&](Backend backend) {
        return config.has_backend(backend) && !config.kernels_of(backend).empty();
    });
}

model::FileSet compiled_package(const config::BuildConfig& config, std::string_view unique_id) {
    auto values = python_values(config);
    values["build_requires"] =
        quoted_list({"cmake>=3.25", "ninja", "setuptools>=64", "torch", "wheel"});
    model::FileSet files;
    for (const auto* name : {"CMakeLists.txt", "cmake/targets.cmake", "cmake/torch.cmake"})
        files[name] = project_text(name);
    for (const auto* name : {"pyproject.toml", "setup.py"})
        files[name] = fill(project_text(name), values);
    files["cmake/kernel.cmake"] = data_file(config, unique_id);
    if (!lists_file(config, "torch-ext/registration.h"))
        files["torch-ext/registration.h"] = registration_header();
    return files;
}

/// Nothing is compiled: pip takes the files as they are. One package serves all backends here, so
/// its namespace is that of the first one.
model::FileSet python_package(const config::BuildConfig& config, std::string_view unique_id) {
    auto values = python_values(config);
    values["build_requires"] = quoted_list({"setuptools>=64", "wheel"});
    const auto& name = config.general.name.value;
    const auto ops_id = model::ops_id(name, config.general.backends.front().value, unique_id);
    return {{"pyproject.toml", fill(project_text("pyproject.toml"), values)},
            {fmt::format("torch-ext/{}/_ops.py", name.module()), layout::noarch_ops_py(ops_id)}};
}

} // namespace

support::Result<model::FileSet> project_files(const config::BuildConfig& config,
                                              std::string_view unique_id) {
    if (config.framework.kind == config::FrameworkKind::torch && has_kernels(config))
        return with_manifest(compiled_package(config, unique_id));
    if (config.framework.kind == config::FrameworkKind::torch_noarch)
        return with_manifest(python_package(config, unique_id));
    return support::fail(ErrorKind::nothing,
                         "there is nothing that CMake or pip could build",
                         "`kbuild generate` is for `[torch]` with a kernel for `cpu` or `rocm`, "
                         "and for `[torch-noarch]`");
}

} // namespace kbuild::generate
