#include "kbuild/generate/cmake_writer.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::generate;

TEST_CASE("a literal is fenced so that its text cannot end it") {
    CHECK(cmake_literal("plain") == "[[plain]]");
    CHECK(cmake_literal("a]]b") == "[=[a]]b]=]");
    CHECK(cmake_literal("a]]b]=]c") == "[==[a]]b]=]c]==]");
    CHECK(cmake_literal("ends]") == "[=[ends]]=]");
    CHECK(cmake_literal("\nfirst") == "[[\n\nfirst]]");
}

TEST_CASE("items are one variable each") {
    CMakeWriter writer;
    writer.set_items("VALUE", {"a;b", "c\\"});
    CHECK(writer.text() == "set(VALUE_0 [[a;b]])\nset(VALUE_1 [[c\\]])\nset(VALUE_NUMBERS 0 1)\n");
}

TEST_CASE("no items are an empty list of numbers") {
    CMakeWriter writer;
    writer.set_items("VALUE", {});
    CHECK(writer.text() == "set(VALUE_NUMBERS \"\")\n");
}

TEST_CASE("arguments are readable where they are plain, and quoted where they are not") {
    CHECK(option_entry({}).empty());
    CHECK(option_entry({"-O3", "-DX=\"a b\""}) == "SHELL:\n    -O3\n    \"-DX=\\\"a b\\\"\"");
    CHECK(ninja_flags({"-O3", "-DX=it's $1"}) == "-O3 '-DX=it'\\''s $$1'");
}
