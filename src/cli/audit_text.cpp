#include "audit_report.hpp"

#include "kbuild/support/strings.hpp"
#include "kbuild/ui/render.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

using audit::Report;

/// As `kbuild verify` shows them, with one more note: in which variants.
std::string findings_text(const Report& report) {
    std::string text;
    for (const auto& finding : report.findings) {
        auto what = finding.what;
        what.notes.push_back("in " + variants_of(finding, report));
        text += ui::render(what, {});
    }
    return text;
}

std::string table_of(const Report& report) {
    std::vector<std::vector<std::string>> rows = {
        {"variant", "result", "folder", "version", "archs", "kernels", "size"}};
    for (const auto& variant : report.variants)
        rows.push_back({variant.name,
                        result_of(variant),
                        std::string(audit::to_string(variant.shape)),
                        variant.metadata ? std::to_string(variant.metadata->version) : "?",
                        model::to_string(variant.facts.device_code.archs()),
                        std::to_string(variant.facts.kernels),
                        support::human_size(variant.facts.bytes)});
    return ui::table(rows);
}

/// The whole of a report.
std::string everywhere(const std::vector<audit::VariantReport>& variants) {
    if (variants.size() == 1)
        return variants.front().name;
    return variants.size() == 2 ? std::string("both variants")
                                : fmt::format("all {} variants", variants.size());
}

} // namespace

std::string result_of(const audit::VariantReport& variant) {
    if (variant.errors > 0)
        return support::plural(variant.errors, "error");
    return variant.warnings > 0 ? support::plural(variant.warnings, "warning") : "ok";
}

std::string variants_of(const audit::Finding& finding, const Report& report) {
    if (finding.variants.empty() || finding.variants.size() == report.variants.size())
        return everywhere(report.variants);
    return support::join(finding.variants, ", ");
}

std::string audit_count(const Report& report) {
    return fmt::format("{}, {}, {} in {}",
                       support::plural(report.count(diag::Severity::error), "error"),
                       support::plural(report.count(diag::Severity::warning), "warning"),
                       support::plural(report.count(diag::Severity::note), "note"),
                       support::plural(report.variants.size(), "variant"));
}

std::string audit_text(const Report& report) {
    return findings_text(report) + table_of(report) + audit_count(report) + "\n";
}

} // namespace kbuild::cli
