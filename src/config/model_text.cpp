#include "kbuild/config/model_text.hpp"

#include <fmt/format.h>

namespace kbuild::config {
namespace {

/// Lines of one table.
class Writer {
  public:
    explicit Writer(std::string& text, std::string table) : text_(text), table_(std::move(table)) {}

    void line(std::string_view key, std::string_view value) {
        text_ += fmt::format("{}.{} = {}\n", table_, key, value);
    }
    void text(std::string_view key, const std::optional<std::string>& value) {
        if (value)
            line(key, quoted(*value));
    }
    void version(std::string_view key, const std::optional<model::Version>& value) {
        if (value)
            line(key, value->to_string());
    }
    void strings(std::string_view key, const Strings& values) {
        std::string list;
        for (const auto& value : values)
            list += (list.empty() ? "" : ", ") + quoted(value.value);
        if (!list.empty())
            line(key, list);
    }

  private:
    /// With its length, so that no content can look like the end of a string.
    static std::string quoted(const std::string& value) {
        return fmt::format("\"{}\"({})", value, value.size());
    }

    std::string& text_;
    std::string table_;
};

void write_dependencies(Writer& writer, const std::vector<KernelDependency>& dependencies) {
    for (const auto& dependency : dependencies)
        writer.line("kernel-depends",
                    fmt::format("{} version {} revision {}",
                                dependency.repo_id,
                                dependency.version ? fmt::to_string(*dependency.version) : "-",
                                dependency.revision.value_or("-")));
}

void write_general(std::string& text, const General& general) {
    Writer writer(text, "general");
    writer.text("name", general.name.value.text());
    writer.line("version", fmt::to_string(general.version));
    writer.text("license", general.license);
    for (const auto& backend : general.backends)
        writer.line("backend", to_string(backend.value));
    writer.text("upstream", general.upstream);
    writer.text("source", general.source);
    writer.text("hub.repo-id", general.hub.repo_id);
    writer.text("hub.branch", general.hub.branch);
    write_dependencies(writer, general.kernel_depends);
    writer.strings("python-depends", general.python_depends);
    for (const auto& [backend, options] : general.backend_options) {
        Writer table(text, fmt::format("general.{}", to_string(backend)));
        table.version("minver", options.versions.min);
        table.version("maxver", options.versions.max);
        write_dependencies(table, options.kernel_depends);
        table.strings("python-depends", options.python_depends);
    }
}

std::string_view name_of(FrameworkKind kind) {
    switch (kind) {
    case FrameworkKind::torch:
        return "torch";
    case FrameworkKind::torch_noarch:
        return "torch-noarch";
    case FrameworkKind::tvm_ffi:
        return "tvm-ffi";
    }
    return "";
}

void write_framework(std::string& text, const Framework& framework) {
    Writer writer(text, "framework");
    writer.line("kind", name_of(framework.kind));
    writer.strings("src", framework.src);
    if (framework.include)
        writer.line("include", "given");
    writer.strings("include", framework.include.value_or(Strings()));
    writer.version("minver", framework.versions.min);
    writer.version("maxver", framework.versions.max);
    if (framework.pyext)
        writer.line("pyext", "given");
    writer.strings("pyext", framework.pyext.value_or(Strings()));
    for (const auto& [backend, version] : framework.stable_abi)
        writer.line(fmt::format("stable-abi.{}", to_string(backend)), version.to_string());
    writer.strings("cxx-flags", framework.cxx_flags);
    writer.strings("cuda_capabilities", framework.cuda_capabilities);
    writer.strings("rocm_archs", framework.rocm_archs);
}

void write_kernel(std::string& text, const KernelComponent& kernel) {
    Writer writer(text, fmt::format("kernel \"{}\"({})", kernel.name, kernel.name.size()));
    writer.line("backend", to_string(kernel.backend));
    writer.strings("depends", kernel.depends);
    writer.strings("src", kernel.src);
    writer.strings("include", kernel.include);
    writer.strings("cxx-flags", kernel.cxx_flags);
    writer.strings("cuda-capabilities", kernel.cuda_capabilities);
    writer.strings("cuda-flags", kernel.cuda_flags);
    writer.version("cuda-minver", kernel.cuda_minver);
    for (const auto& arch : kernel.rocm_archs)
        writer.line("rocm-arch", arch.value.to_string());
    writer.strings("hip-flags", kernel.hip_flags);
    writer.strings("sycl-flags", kernel.sycl_flags);
}

} // namespace

std::string model_text(const BuildConfig& config) {
    std::string text;
    write_general(text, config.general);
    write_framework(text, config.framework);
    for (const auto& kernel : config.kernels)
        write_kernel(text, kernel);
    return text;
}

} // namespace kbuild::config
