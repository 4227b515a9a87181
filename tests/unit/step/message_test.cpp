#include "kbuild/step/message.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;

TEST_CASE("what a step tells comes back, blanks in names too") {
    for (const bool again : {false, true}) {
        const step::Killed killed{"rocm64/a b.hip.o", 123456, again};
        CHECK(step::parse_killed(step::to_line(killed)) == killed);
    }
}

TEST_CASE("a compiler's line is not taken for a step's") {
    for (const auto* line :
         {"", "error: Killed", "kbuild-step: killed once", "kbuild-step: killed once many a.o"})
        CHECK_FALSE(step::parse_killed(line));
}
