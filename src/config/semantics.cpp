#include "semantics.hpp"

#include "decode_parts.hpp"
#include "rocm_archs.hpp"

#include "kbuild/diag/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kbuild::config {
namespace {

using model::Backend;

/// Up to edition 3 no table at all means `[torch-noarch]`.
void check_framework_tables(const Value& root, int edition, diag::Sink& sink) {
    std::vector<const Entry*> found;
    for (const auto* name : {"torch", "torch-noarch", "tvm-ffi"})
        if (const Entry* const entry = root.find(name))
            found.push_back(entry);
    std::sort(found.begin(), found.end(), [](const Entry* a, const Entry* b) {
        return a->key_span.begin < b->key_span.begin;
    });
    if (found.empty() && edition > 3) {
        auto problem = diag::mistake(
            "K0110", "missing framework table", {root.span.file, {1, 1}, {1, 1}}, std::string());
        problem.help = {"add `[torch]` for a kernel with C++ or HIP sources",
                        "add `[torch-noarch]` for a kernel of Python files only"};
        sink.report(std::move(problem));
    }
    for (std::size_t i = 1; i < found.size(); ++i) {
        auto problem =
            mistake("K0110",
                    fmt::format("`[{}]` stands beside `[{}]`, but a kernel has one framework",
                                found[i]->key,
                                found[0]->key),
                    found[i]->key_span,
                    "second framework");
        problem.related.push_back({found[0]->key_span, "first framework"});
        problem.help.emplace_back("keep one of the two tables");
        sink.report(std::move(problem));
    }
}

/// Each entry of a list that has been there before.
void check_listed_twice(const Strings& list, const std::string& what, diag::Sink& sink) {
    std::map<std::string, diag::SourceSpan> seen;
    for (const auto& item : list) {
        const auto [first, is_new] = seen.emplace(item.value, item.span);
        if (is_new)
            continue;
        auto problem = warning("K0118",
                               fmt::format("`{}` is listed twice in `{}`", item.value, what),
                               item.span,
                               "again here");
        problem.related.push_back({first->second, "first listed here"});
        problem.help.emplace_back("remove one of the two");
        sink.report(std::move(problem));
    }
}

/// Kernel sections whose backend is not listed; silent if the list itself has mistakes, which
/// explain it.
void check_unlisted_backends(const Value& root, const BuildConfig& config, diag::Sink& sink) {
    const Value* const general = root.get_table("general");
    const Value* const list = general == nullptr ? nullptr : general->get("backends");
    const auto names = strings_of(general, "backends");
    const bool readable = list != nullptr && names.size() == list->items.size() &&
                          std::all_of(names.begin(), names.end(), [](const auto& name) {
                              return model::parse_backend(name.value).has_value();
                          });
    if (!readable)
        return;
    for (const auto& kernel : config.kernels) {
        if (config.has_backend(kernel.backend))
            continue;
        const auto backend = to_string(kernel.backend);
        auto problem = warning("K0114",
                               fmt::format("`[kernel.{}]` is not built: `{}` is not in "
                                           "`general.backends`",
                                           kernel.name,
                                           backend),
                               kernel.span,
                               fmt::format("a `{}` kernel", backend));
        problem.related.push_back({list->span, fmt::format("has no `{}`", backend)});
        problem.help.push_back(
            fmt::format("add `\"{}\"` to `general.backends`, or remove the section", backend));
        sink.report(std::move(problem));
    }
}

/// A listed backend without a section gets the package of Python files, as upstream does
/// (upstream.md 2.8).
/// Silent if a section's backend could not be read: it may be the one that is missed.
void check_backends_without_kernel(const Value& root, const BuildConfig& config, diag::Sink& sink) {
    const Value* const kernels = root.get_table("kernel");
    const std::size_t sections = kernels == nullptr ? 0 : kernels->entries.size();
    const Value* const general = root.get_table("general");
    if (general == nullptr || general->find("backends") == nullptr)
        return;
    if (config.framework.kind == FrameworkKind::torch_noarch || sections != config.kernels.size())
        return;
    for (const auto& backend : config.general.backends) {
        if (!config.kernels_of(backend.value).empty())
            continue;
        const auto name = to_string(backend.value);
        auto problem =
            warning("K0115",
                    fmt::format("no kernel section is for `{}`", name),
                    backend.span,
                    fmt::format("becomes `torch-{}`, a package of Python files only", name));
        problem.help.push_back(
            fmt::format("add a section with `backend = \"{}\"`, or remove it from the list", name));
        sink.report(std::move(problem));
    }
}

void check_empty_sources(const Value& root, diag::Sink& sink) {
    const Value* const kernels = root.get_table("kernel");
    if (kernels == nullptr)
        return;
    for (const auto& entry : kernels->entries) {
        const Value* const src = entry.value.get("src");
        if (src == nullptr || src->kind != Value::Kind::array || !src->items.empty())
            continue;
        auto problem = mistake("K0113",
                               fmt::format("`kernel.{}.src` is empty", entry.key),
                               src->span,
                               "lists no file");
        problem.help.emplace_back("list the sources and headers of this kernel");
        sink.report(std::move(problem));
    }
}

void check_bounds(const Value& table,
                  const std::string& name,
                  diag::Sink& sink,
                  std::string_view min_key = "minver",
                  std::string_view max_key = "maxver") {
    const model::VersionRange range = {version_of(&table, min_key), version_of(&table, max_key)};
    if (!range.min || !range.max || *range.min <= *range.max)
        return;
    auto problem = mistake("K0201",
                           fmt::format("the bounds in `{}` leave no version", name),
                           table.get(max_key)->span,
                           fmt::format("below {}", range.min->to_string()));
    problem.related.push_back({table.get(min_key)->span, "the lower bound"});
    sink.report(std::move(problem));
}

void report_retired(const Spanned<std::string>& name, diag::Sink& sink) {
    auto problem = warning("K0119",
                           fmt::format("`{}` is left out: no current compiler has it", name.value),
                           name.span,
                           "retired architecture");
    problem.notes.emplace_back("it was a pre-production MI300; LLVM 20 dropped it, and upstream's "
                               "builder drops it too");
    problem.help.emplace_back("remove it; `gfx942` is the MI300X and MI300A");
    sink.report(std::move(problem));
}

void check_arch_name(const Spanned<std::string>& name, diag::Sink& sink) {
    const auto arch = model::GfxArch::parse(name.value);
    if (!arch)
        return;
    if (is_retired_arch(arch->processor()))
        report_retired(name, sink);
    else if (is_known_arch(arch->processor()) && !is_upstream_arch(*arch))
        sink.report(warning("K0120",
                            fmt::format("upstream's builder does not build `{}`", name.value),
                            name.span,
                            "kbuild does, if the SDK's compiler has it"));
}

/// A list of which nothing is left: empty counts as not given (upstream.md 2.6), all retired builds
/// nothing.
void check_arch_list(const Value& list, const std::string& what, diag::Sink& sink) {
    if (list.items.empty()) {
        auto problem = warning("K0121",
                               fmt::format("`{}` is empty, which counts as not given", what),
                               list.span,
                               "lists no architecture");
        problem.notes.push_back(
            fmt::format("built for: {}", model::to_string(model::default_rocm_archs())));
        return sink.report(std::move(problem));
    }
    const bool any_left = std::any_of(list.items.begin(), list.items.end(), [](const Value& item) {
        const auto arch = model::GfxArch::parse(item.text);
        return !arch || !is_retired_arch(arch->processor());
    });
    if (any_left)
        return;
    auto problem = mistake("K0122",
                           fmt::format("nothing is left of `{}`", what),
                           list.span,
                           "every architecture in it is retired");
    problem.help.emplace_back("write `[\"gfx942\"]` for the MI300X");
    sink.report(std::move(problem));
}

void check_archs(const Entry& section, diag::Sink& sink) {
    const Value* const list = section.value.get("rocm-archs");
    if (list == nullptr || list->kind != Value::Kind::array)
        return;
    const std::string what = fmt::format("kernel.{}.rocm-archs", section.key);
    const auto names = strings_of(&section.value, "rocm-archs");
    check_listed_twice(names, what, sink);
    for (const auto& name : names)
        check_arch_name(name, sink);
    check_arch_list(*list, what, sink);
}

} // namespace

void check_semantics(const Value& root, const BuildConfig& config, diag::Sink& sink) {
    const Value* const general = root.get_table("general");
    check_framework_tables(root, config.edition, sink);
    check_listed_twice(strings_of(general, "backends"), "general.backends", sink);
    check_unlisted_backends(root, config, sink);
    check_backends_without_kernel(root, config, sink);
    check_empty_sources(root, sink);
    if (const Value* const torch = root.get_table("torch"))
        check_bounds(*torch, "[torch]", sink);
    if (const Value* const cuda = general == nullptr ? nullptr : general->get_table("cuda"))
        check_bounds(*cuda, "[general.cuda]", sink);
    if (general != nullptr && config.edition == 2)
        check_bounds(*general, "[general]", sink, "cuda-minver", "cuda-maxver");
    if (const Value* const kernels = root.get_table("kernel"))
        for (const auto& section : kernels->entries)
            check_archs(section, sink);
}

} // namespace kbuild::config
