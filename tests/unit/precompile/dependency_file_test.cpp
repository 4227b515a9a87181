#include "dependency_file.hpp"

#include <catch2/catch.hpp>

using kbuild::precompile::read_dependencies;
using Paths = std::vector<std::filesystem::path>;

TEST_CASE("dependencies are what follows the target, in order, over continued lines") {
    CHECK(read_dependencies("headers.pch: /a/x.hpp \\\n  /sdk/b.h /sdk/a.h \\\n /usr/c.h\n") ==
          Paths{"/a/x.hpp", "/sdk/b.h", "/sdk/a.h", "/usr/c.h"});
}

TEST_CASE("blanks, #, backslashes and $ in names are unescaped") {
    CHECK(read_dependencies("a: /my\\ sdk/a\\#b.h /c$$d/e\\\\f.h\n") ==
          Paths{"/my sdk/a#b.h", "/c$d/e\\f.h"});
}

TEST_CASE("a target alone, or none, has no dependencies") {
    CHECK(read_dependencies("a: \n").empty());
    CHECK(read_dependencies("").empty());
    CHECK(read_dependencies("no rule").empty());
}

TEST_CASE("the last dependency needs no line end") {
    CHECK(read_dependencies("a: /b.h") == Paths{"/b.h"});
}
