#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::cli {

/// How the tests of one variant went.
struct TestOutcome {
    enum class State { passed, failed, skipped };
    std::string variant;
    State state = State::skipped;
    std::string reason; ///< why skipped or failed
    std::string report; ///< pytest's JUnit XML; empty if it did not run
};

std::string_view name_of(TestOutcome::State state); ///< `passed`, `failed`, `skipped`

/// One JUnit report of all variants: pytest's suites under the variant's name, and a suite with one
/// skipped or failed case for a variant without a report.
std::string junit_text(const std::vector<TestOutcome>& outcomes);

} // namespace kbuild::cli
