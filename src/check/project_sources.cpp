#include "project_sources.hpp"

#include "kbuild/sources/place.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::check {

using model::Backend;

ProjectSources::ProjectSources(const Subject& subject) : subject_(subject), tree_(subject.root) {
    const auto& config = subject.config;
    const bool tvm = config.framework.kind == config::FrameworkKind::tvm_ffi;
    auto binding =
        section_of(config.framework.src, config.framework.include.value_or(config::Strings()));
    binding.key = tvm ? "tvm-ffi.src" : "torch.src";
    sections_.push_back(std::move(binding));
    add_listed(config.framework.src);
    for (const auto& kernel : config.kernels) {
        add_listed(kernel.src);
        if (!config.has_backend(kernel.backend))
            continue;
        auto section = section_of(kernel.src, kernel.include);
        section.key = fmt::format("kernel.{}.src", kernel.name);
        section.kernel = &kernel;
        sections_.push_back(std::move(section));
        if (std::find(built_.begin(), built_.end(), kernel.backend) == built_.end())
            built_.push_back(kernel.backend);
    }
}

Section ProjectSources::section_of(const config::Strings& src,
                                   const config::Strings& include) const {
    Section section;
    for (const auto& entry : src)
        if (auto path = sources::name_in_tree(subject_.root, entry.value))
            section.files.push_back(
                {std::move(*path), entry.span, sources::source_kind(entry.value)});
    for (const auto& entry : include)
        if (auto folder = sources::name_in_tree(subject_.root, entry.value))
            section.folders.push_back(std::move(*folder));
    section.folders.emplace_back("csrc");
    return section;
}

void ProjectSources::add_listed(const config::Strings& src) {
    for (const auto& entry : src)
        if (auto path = sources::name_in_tree(subject_.root, entry.value))
            listed_.insert(std::move(*path));
}

diag::SourceSpan
ProjectSources::span(const std::string& path, std::size_t offset, std::size_t length) {
    auto& shown = shown_[path];
    if (shown == nullptr)
        shown = source_file(subject_.root / path, tree_.file(path)->text);
    return sources::span_at(shown, offset, length);
}

diag::SourceFilePtr source_file(const std::filesystem::path& path, std::string text) {
    return std::make_shared<const diag::SourceFile>(support::display_path(path), std::move(text));
}

sources::Macros macros_of(Backend backend) {
    const bool rocm = backend == Backend::rocm;
    const bool cuda = backend == Backend::cuda;
    const bool xpu = backend == Backend::xpu;
    return {{"ROCM_KERNEL", rocm},
            {"USE_ROCM", rocm},
            {"CUDA_KERNEL", cuda},
            {"USE_CUDA", cuda},
            {"XPU_KERNEL", xpu},
            {"USE_XPU", xpu},
            {"CPU_KERNEL", backend == Backend::cpu},
            {"METAL_KERNEL", backend == Backend::metal}};
}

} // namespace kbuild::check
