#include "kbuild/build/conversion.hpp"

#include "units.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/file_lock.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using sources::SourceKind;
using support::Result;

bool is_cuda(std::string_view path) {
    return support::to_lower(fs::path(path).extension().string()) == ".cu";
}

bool is_kept(const std::vector<std::string>& patterns, const std::string& file) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return support::matches_glob(pattern, file);
    });
}

/// The section's own files other than HIP sources, and what they include of the project.
toolchain::HipifyRequest request_for(const Component& component,
                                     const std::vector<std::string>& patterns,
                                     const fs::path& root) {
    toolchain::HipifyRequest request;
    request.project = root;
    request.folders = include_folders(component, root);
    sources::SourceTree tree(root);
    std::set<std::string> convert;
    std::set<std::string> keep;
    for (const auto& entry : component.src) {
        const auto name = sources::name_in_tree(root, root / entry.value);
        if (!name || tree.file(*name) == nullptr)
            continue;
        if (sources::source_kind(*name) == SourceKind::device && !is_cuda(*name)) {
            keep.insert(*name);
            continue;
        }
        for (const auto& file : tree.reachable(*name, request.folders))
            if (is_kept(patterns, file))
                keep.insert(file);
            else if (sources::source_kind(file) != SourceKind::device || is_cuda(file))
                convert.insert(file);
    }
    request.convert.assign(convert.begin(), convert.end());
    request.keep.assign(keep.begin(), keep.end());
    return request;
}

const config::Spanned<std::string>* find_entry(const Component& component,
                                               const std::string& path) {
    const auto found =
        std::find_if(component.src.begin(), component.src.end(), [&](const auto& entry) {
            return fs::path(entry.value).lexically_normal() == fs::path(path);
        });
    return found != component.src.end() ? &*found : nullptr;
}

/// The first CUDA source that the section lists.
diag::SourceSpan cuda_span(const Component& component) {
    for (const auto& entry : component.src)
        if (is_cuda(entry.value))
            return entry.span;
    return {};
}

void report_no_converter(const Component& component,
                         const model::TorchSdk& torch,
                         diag::Sink& sink) {
    diag::Diagnostic problem;
    problem.code = "K0401";
    problem.message =
        fmt::format("{} has no converter for CUDA sources (`torch/utils/hipify`)", torch.name);
    problem.span = cuda_span(component);
    problem.label = "has to be converted for ROCm";
    problem.help = {fmt::format("kbuild toolchain add torch@{}", torch.short_version().dotted())};
    sink.report(std::move(problem));
}

void report_clash(const Component& component, const toolchain::NameClash& clash, diag::Sink& sink) {
    diag::Diagnostic problem;
    problem.code = "K0404";
    problem.message = fmt::format("`{}` and `{}` are both `{}` after the conversion to HIP",
                                  clash.first,
                                  clash.second,
                                  clash.output);
    if (const auto* entry = find_entry(component, clash.second))
        problem.span = entry->span;
    problem.label = fmt::format("becomes `{}`", clash.output);
    if (const auto* entry = find_entry(component, clash.first))
        problem.related = {{entry->span, "the other one"}};
    problem.help = {"rename one of them, or list only the HIP file"};
    sink.report(std::move(problem));
}

} // namespace

fs::path Conversion::place_of(const fs::path& root, const std::string& relative) const {
    const auto name = fs::path(relative).lexically_normal().generic_string();
    for (const auto& file : tree.files)
        if (file.input == name)
            return tree.root / file.output;
    return (root / relative).lexically_normal();
}

bool lists_cuda_sources(const config::Strings& src) {
    return std::any_of(
        src.begin(), src.end(), [](const auto& entry) { return is_cuda(entry.value); });
}

std::vector<const model::TorchSdk*> rocm_torches(const matrix::BuildSet& set) {
    std::vector<const model::TorchSdk*> torches;
    for (const auto& selected : set.selected)
        if (selected.rocm != nullptr && selected.torch != nullptr &&
            std::find(torches.begin(), torches.end(), selected.torch) == torches.end())
            torches.push_back(selected.torch);
    return torches;
}

Result<Conversions> convert_cuda_sources(const config::BuildConfig& config,
                                         const std::vector<const model::TorchSdk*>& torches,
                                         const std::vector<std::string>& keep,
                                         const fs::path& root,
                                         const WorkFolder& folder,
                                         diag::Sink& sink) {
    Conversions all;
    auto components = components_of(config, model::Backend::rocm, root);
    std::erase_if(components, [](const auto& entry) { return !lists_cuda_sources(entry.src); });
    if (torches.empty() || components.empty())
        return all;
    KB_TRY(mark_as_ours(folder));
    const auto trees = folder.root / "hipify";
    KB_TRY_ASSIGN(lock, support::FileLock::acquire(trees / "lock", std::chrono::minutes(5)));
    for (const auto& component : components) {
        const auto request = request_for(component, keep, root);
        for (const auto* torch : torches) {
            if (!torch->hipify) {
                report_no_converter(component, *torch, sink);
                continue;
            }
            const auto into = trees / component.name / ("torch" + torch->short_version().compact());
            KB_TRY_ASSIGN(tree, toolchain::hipify(*torch, request, into));
            for (const auto& clash : tree.clashes)
                report_clash(component, clash, sink);
            if (!tree.clashes.empty())
                break;
            all.push_back({component.name, torch->name, std::move(tree)});
        }
    }
    return all;
}

const Conversion*
find_conversion(const Conversions& all, const std::string& section, const model::TorchSdk* torch) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Conversion& entry) {
        return torch != nullptr && entry.section == section && entry.torch == torch->name;
    });
    return found != all.end() ? &*found : nullptr;
}

bool differs_between_torches(const Conversions& all, const std::string& section) {
    std::set<std::string> digests;
    for (const auto& entry : all)
        if (entry.section == section)
            digests.insert(entry.tree.digest);
    return digests.size() > 1;
}

} // namespace kbuild::build
