#include "lint.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace kbuild::audit {
namespace {

using diag::Severity;

/// What the variants say -> the variants that say it.
using Said = std::map<std::string, std::vector<std::string>>;

std::vector<std::string> lines_of(const Said& said) {
    std::vector<std::string> lines;
    for (const auto& [value, variants] : said)
        lines.push_back(fmt::format("`{}`: {}", value, support::join(variants, ", ")));
    return lines;
}

template <typename Value>
void compare(const std::vector<VariantReport>& variants,
             std::string_view key,
             const Value& value_of,
             diag::Sink& sink) {
    Said said;
    for (const auto& variant : variants)
        if (variant.metadata)
            said[value_of(*variant.metadata)].push_back(variant.name);
    if (said.size() < 2)
        return;
    auto finding = diag::mistake(
        "K0746", fmt::format("the variants do not agree on `{}` of metadata.json", key), {}, {});
    finding.notes = lines_of(said);
    finding.help.emplace_back("build all of them from one state of the project");
    sink.report(std::move(finding));
}

std::string sorted_list(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return support::join(names, ", ");
}

void compare_metadata(const std::vector<VariantReport>& variants, diag::Sink& sink) {
    using layout::Metadata;
    compare(variants, "name", [](const Metadata& data) { return data.name; }, sink);
    compare(
        variants,
        "version",
        [](const Metadata& data) { return std::to_string(data.version); },
        sink);
    compare(variants, "license", [](const Metadata& data) { return data.license; }, sink);
    compare(
        variants,
        "python-depends",
        [](const Metadata& data) { return sorted_list(data.python_depends); },
        sink);
}

/// Names of the kernels in a variant; a variant lacks what its siblings have if a source was left
/// out of its build.
std::set<std::string> kernels_of(const VariantReport& variant) {
    std::set<std::string> names;
    for (const auto& file : variant.libraries)
        for (const auto& object : file.code.objects)
            for (const auto& kernel : object.kernels)
                names.insert(kernel.name);
    return names;
}

/// Sets of kernels, and the variants that hold just these.
using Holders = std::map<std::set<std::string>, std::vector<std::string>>;

void report_unlike(const std::string& backend, const Holders& holders, diag::Sink& sink) {
    auto finding = diag::warning(
        "K0747", fmt::format("the variants for {} do not hold the same kernels", backend), {}, {});
    for (const auto& [kernels, variants] : holders)
        finding.notes.push_back(fmt::format(
            "{}: {}", support::plural(kernels.size(), "kernel"), support::join(variants, ", ")));
    std::sort(finding.notes.begin(), finding.notes.end());
    finding.help.emplace_back("`kbuild inspect --diff` names those that are missing");
    sink.report(std::move(finding));
}

void compare_kernels(const std::vector<VariantReport>& variants, diag::Sink& sink) {
    std::map<std::string, Holders> by_backend;
    for (const auto& variant : variants) {
        auto kernels = kernels_of(variant);
        if (variant.variant && !kernels.empty())
            by_backend[std::string(model::to_string(variant.variant->backend))][std::move(kernels)]
                .push_back(variant.name);
    }
    for (const auto& [backend, holders] : by_backend)
        if (holders.size() > 1)
            report_unlike(backend, holders, sink);
}

} // namespace

void lint_together(const std::vector<VariantReport>& variants, diag::Sink& sink) {
    compare_metadata(variants, sink);
    compare_kernels(variants, sink);
}

} // namespace kbuild::audit
