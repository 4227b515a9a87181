#include "junit.hpp"

#include "kbuild/support/strings.hpp"
#include "kbuild/ui/html.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

/// The `<testsuite …>…</testsuite>` parts of a report, renamed to the variant; empty if there are
/// none.
std::string suites_of(const std::string& report, const std::string& variant) {
    constexpr std::string_view kBegin = "<testsuite ";
    constexpr std::string_view kEnd = "</testsuite>";
    const auto begin = report.find(kBegin);
    const auto end = report.rfind(kEnd);
    if (begin == std::string::npos || end == std::string::npos || end < begin)
        return {};
    const auto suites = report.substr(begin, end + kEnd.size() - begin);
    return support::replace_all(
               suites, "name=\"pytest\"", fmt::format("name=\"{}\"", ui::escaped_markup(variant))) +
           "\n";
}

std::string single_case(const TestOutcome& outcome) {
    const bool failed = outcome.state == TestOutcome::State::failed;
    const auto variant = ui::escaped_markup(outcome.variant);
    return fmt::format(
        "<testsuite name=\"{0}\" tests=\"1\" failures=\"{1}\" skipped=\"{2}\" errors=\"0\">"
        "<testcase classname=\"{0}\" name=\"variant\"><{3} message=\"{4}\"/></testcase>"
        "</testsuite>\n",
        variant,
        failed ? 1 : 0,
        failed ? 0 : 1,
        failed ? "failure" : "skipped",
        ui::escaped_markup(outcome.reason));
}

} // namespace

std::string_view name_of(TestOutcome::State state) {
    switch (state) {
    case TestOutcome::State::passed:
        return "passed";
    case TestOutcome::State::failed:
        return "failed";
    case TestOutcome::State::skipped:
        break;
    }
    return "skipped";
}

std::string junit_text(const std::vector<TestOutcome>& outcomes) {
    std::string text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites>\n";
    for (const auto& outcome : outcomes) {
        auto suites = suites_of(outcome.report, outcome.variant);
        text += suites.empty() ? single_case(outcome) : suites;
    }
    return text + "</testsuites>\n";
}

} // namespace kbuild::cli
