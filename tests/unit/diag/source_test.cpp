#include "kbuild/diag/source.hpp"

#include <catch2/catch.hpp>

using kbuild::diag::SourceFile;

TEST_CASE("lines are counted from one and have no line end") {
    const SourceFile file("x", "a\r\nb\n\nc");
    CHECK(file.line_count() == 4);
    CHECK(file.line(1) == "a");
    CHECK(file.line(2) == "b");
    CHECK(file.line(3).empty());
    CHECK(file.line(4) == "c");
}

TEST_CASE("a line that does not exist is empty") {
    const SourceFile file("x", "a\n");
    CHECK(file.line_count() == 1);
    CHECK(file.line(0).empty());
    CHECK(file.line(2).empty());
    CHECK(SourceFile("x", "").line(1).empty());
}
