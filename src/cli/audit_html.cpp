#include "audit_report.hpp"
#include "inspect_report.hpp"

#include "kbuild/support/strings.hpp"
#include "kbuild/ui/html.hpp"
#include "kbuild/ui/render.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

using ui::Cell;
using ui::element;
using ui::Html;

Html lines(const std::vector<std::string>& texts) {
    Html items;
    for (const auto& text : texts)
        items += element("li", text);
    return items.empty() ? Html() : element("ul", {}, items);
}

std::vector<Cell> finding_row(const audit::Finding& finding, const audit::Report& report) {
    const auto word = ui::word_of(finding.what.severity);
    Html text = element("div", finding.what.message);
    text += lines(finding.what.notes);
    for (const auto& help : finding.what.help)
        text += element("p", "help: " + help, "dim");
    return {{element("span", word, word)},
            {element("span", finding.what.code)},
            {std::move(text)},
            {Html::text(variants_of(finding, report))}};
}

Html findings_html(const audit::Report& report) {
    std::vector<std::vector<Cell>> rows;
    for (const auto& finding : report.findings)
        rows.push_back(finding_row(finding, report));
    Html html = element("h2", "Findings, worst first");
    html += rows.empty() ? element("p", "none", "good")
                         : ui::html_table({"severity", "code", "what", "in"}, rows);
    return html;
}

std::vector<Cell> variant_row(const audit::VariantReport& variant) {
    const std::string_view mark = variant.errors > 0     ? "error"
                                  : variant.warnings > 0 ? "warning"
                                                         : "good";
    return {{element("code", variant.name)},
            {element("span", result_of(variant), mark)},
            {Html::text(audit::to_string(variant.shape))},
            {Html::text(variant.metadata ? std::to_string(variant.metadata->version) : "?"), true},
            {Html::text(model::to_string(variant.facts.device_code.archs()))},
            {Html::text(std::to_string(variant.facts.kernels)), true},
            {Html::text(support::human_size(variant.facts.bytes)), true}};
}

Html variants_html(const audit::Report& report) {
    std::vector<std::vector<Cell>> rows;
    for (const auto& variant : report.variants)
        rows.push_back(variant_row(variant));
    Html html = element("h2", "Variants");
    html += ui::html_table({"variant", "result", "folder", "version", "archs", "kernels", "size"},
                           rows);
    return html;
}

} // namespace

std::string audit_html(const audit::Report& report, const std::string& what) {
    Html body = element("h1", "kbuild audit: " + what);
    body += element("p", audit_count(report), "dim");
    body += findings_html(report);
    body += variants_html(report);
    for (const auto& variant : report.variants) {
        body += element("h2", variant.name);
        auto libraries = variant.libraries;
        for (auto& library : libraries)
            library.path = library.path.lexically_relative(variant.folder);
        body += libraries.empty() ? element("p", "no library that can be read", "dim")
                                  : inspect_html(libraries, 3);
    }
    return ui::html_page("kbuild audit: " + what, body);
}

} // namespace kbuild::cli
