#include "kbuild/ui/table.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::ui;

TEST_CASE("columns are aligned by characters and no line ends in blanks") {
    CHECK(table({{"name", "size"}, {"caf\xC3\xA9", "1"}, {"x", ""}}) == "name  size\n"
                                                                        "caf\xC3\xA9  1\n"
                                                                        "x\n");
}

TEST_CASE("rows may have fewer cells than the heading, and there may be none") {
    CHECK(table({{"a", "b"}, {"c"}}) == "a  b\nc\n");
    CHECK(table({}).empty());
}

TEST_CASE("a cell cannot break the table") {
    CHECK(table({{"a", "b"}, {"x\ny", "\x1b[31m"}}) == "a    b\nx y  \\x1b[31m\n");
}

TEST_CASE("a Markdown table has a rule below its heading and escapes bars") {
    CHECK(markdown_table({{"a", "b"}, {"x|y"}}) == "| a | b |\n| --- | --- |\n| x\\|y |  |\n");
    CHECK(markdown_table({}).empty());
}
