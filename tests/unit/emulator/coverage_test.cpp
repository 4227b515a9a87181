#include "isa/table.hpp"
#include "isa/tested.hpp"
#include "one_instruction.hpp"

#include <fmt/format.h>

// Runs last: what the tests before it have run has to be what the report's fidelity is told from.

using namespace kbuild::emulator;

TEST_CASE("the list of tested instructions is true") {
    const auto& seen = instructions_seen();
    if (seen.size() < 100) {
        WARN("only some tests run, so nothing is compared");
        return;
    }
    std::string wrong;
    for (const Row* const row : all_rows()) {
        const std::string name(row->name);
        if (is_tested(name) && !seen.contains(name))
            wrong += fmt::format("{} is in isa/tested_names.inc, and no test runs it\n", name);
        if (!is_tested(name) && seen.contains(name))
            wrong += fmt::format("{} has a test, and is not in isa/tested_names.inc\n", name);
    }
    INFO(wrong);
    CHECK(wrong.empty());
}

TEST_CASE("a new instruction needs a test") {
    // Those of the first cut that still have none of their own; the report calls them untested.
    // This number only goes down.
    std::size_t without = 0;
    for (const Row* const row : all_rows())
        without += is_tested(row->name) ? 0U : 1U;
    CHECK(without == kUntested);
}
