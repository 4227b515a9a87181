#include "inspect_diff.hpp"

#include "kbuild/inspect/symbol_name.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kbuild::cli {
namespace {

using inspect::Change;
using inspect::Measure;
using support::ErrorKind;
using support::Result;

bool is_name(Measure measure) {
    return measure == Measure::archs || measure == Measure::kernels || measure == Measure::symbols;
}

/// `gfx942 gemm(float*)`: what follows the architecture is a symbol, as is one that stands alone.
std::string readable(const std::string& subject) {
    const auto space = subject.find(' ');
    if (!subject.starts_with("gfx") || space == std::string::npos)
        return inspect::readable_symbol(subject);
    return subject.substr(0, space + 1) + inspect::readable_symbol(subject.substr(space + 1));
}

/// `there` or `-` for what is or is not, else the figure.
std::string value_text(const Change& change, std::uint64_t value) {
    if (!is_name(change.measure))
        return std::to_string(value);
    return value == 0 ? "-" : "there";
}

std::string line_of(const Change& change) {
    if (is_name(change.measure))
        return fmt::format("{} {} {}",
                           change.after == 0 ? "-" : "+",
                           inspect::to_string(change.measure),
                           readable(change.subject));
    return fmt::format("{} {} {} -> {}, {}",
                       inspect::is_regression(change) ? "!" : " ",
                       inspect::to_string(change.measure),
                       change.before,
                       change.after,
                       readable(change.subject));
}

} // namespace

Result<std::vector<Measure>> parse_measures(const std::vector<std::string>& names) {
    std::vector<Measure> result;
    std::vector<std::string> known;
    for (const auto measure : inspect::measures())
        known.emplace_back(inspect::to_string(measure));
    for (const auto& name : names) {
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end())
            return support::fail(ErrorKind::usage,
                                 fmt::format("`--fail-on {}`: there is no such figure", name),
                                 fmt::format("there are {}", support::join(known, ", ")));
        result.push_back(inspect::measures().at(static_cast<std::size_t>(found - known.begin())));
    }
    return result;
}

std::string diff_text(const std::vector<Change>& changes) {
    if (changes.empty())
        return "no difference\n";
    std::string text;
    for (const auto& change : changes)
        text += line_of(change) + "\n";
    return text;
}

std::string diff_json(const std::vector<Change>& changes) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const auto& change : changes)
        list.push_back({{"measure", inspect::to_string(change.measure)},
                        {"subject", change.subject},
                        {"before", change.before},
                        {"after", change.after},
                        {"regression", inspect::is_regression(change)}});
    const Json document = {{"schema", 1}, {"changes", std::move(list)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

ui::Html diff_html(const std::vector<Change>& changes,
                   const std::filesystem::path& before,
                   const std::filesystem::path& after) {
    using ui::element;
    std::vector<std::vector<ui::Cell>> rows;
    for (const auto& change : changes) {
        const bool worse = inspect::is_regression(change);
        const auto verdict = worse ? "worse" : is_name(change.measure) ? "new" : "changed";
        rows.push_back({{element("span", verdict, worse ? "error" : "note")},
                        {ui::Html::text(inspect::to_string(change.measure))},
                        {element("code", readable(change.subject))},
                        {ui::Html::text(value_text(change, change.before)), true},
                        {ui::Html::text(value_text(change, change.after)), true}});
    }
    auto html = element("h2", "What changed");
    html += element(
        "p",
        fmt::format("from {} to {}", support::display_path(before), support::display_path(after)),
        "dim");
    html += rows.empty() ? element("p", "no difference", "good")
                         : ui::html_table({"verdict", "figure", "of", "before", "after"}, rows);
    return html;
}

Result<void> check_regressions(const std::vector<Change>& changes,
                               const std::vector<Measure>& fail_on) {
    std::vector<std::string> worse;
    for (const auto& change : changes)
        if (inspect::is_regression(change) &&
            std::find(fail_on.begin(), fail_on.end(), change.measure) != fail_on.end())
            worse.push_back(line_of(change).substr(2));
    if (worse.empty())
        return {};
    return support::fail(ErrorKind::content,
                         fmt::format("{}: {}",
                                     support::plural(worse.size(), "regression"),
                                     support::join(worse, "; ")));
}

} // namespace kbuild::cli
