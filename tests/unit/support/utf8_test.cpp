#include "kbuild/support/utf8.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::support;

TEST_CASE("code points of one to four bytes are read") {
    const std::string_view text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
    CHECK(code_point_at(text, 0).value == 'a');
    CHECK(code_point_at(text, 1).value == 0xE9);
    CHECK(code_point_at(text, 3).value == 0x20AC);
    CHECK(code_point_at(text, 6).value == 0x1F600);
    CHECK(code_point_at(text, 6).bytes == 4);
    CHECK(count_code_points(text) == 4);
    CHECK_FALSE(find_invalid_utf8(text));
}

TEST_CASE("what is not UTF-8 is found at its first byte") {
    CHECK(find_invalid_utf8("ab\xFF") == 2);
    CHECK(find_invalid_utf8("ab\xC3") == 2);           // cut off
    CHECK(find_invalid_utf8("\xC0\x80") == 0);         // overlong
    CHECK(find_invalid_utf8("\xE0\x80\x80") == 0);     // overlong
    CHECK(find_invalid_utf8("a\xED\xA0\x80") == 1);    // surrogate
    CHECK(find_invalid_utf8("\xF4\x90\x80\x80") == 0); // above U+10FFFF
    CHECK(find_invalid_utf8("x\x80") == 1);            // continuation alone
}

TEST_CASE("a byte that is no character counts as one, so that columns go on") {
    CHECK(count_code_points("a\xFF\xFE"
                            "b") == 4);
}

TEST_CASE("dropping code points never cuts one in two") {
    CHECK(drop_code_points("\xC3\xA9x\xE2\x82\xACy", 2) == "\xE2\x82\xACy");
    CHECK(drop_code_points("ab", 0) == "ab");
    CHECK(drop_code_points("ab", 5).empty());
}

TEST_CASE("long runs of ASCII are counted and dropped as short ones are") {
    const std::string run(100, 'a');
    CHECK(count_code_points(run) == 100);
    CHECK(count_code_points(run + "\xC3\xA9" + run) == 201);
    CHECK(drop_code_points(run + "\xC3\xA9" + run, 101) == run);
    CHECK(drop_code_points(run, 99) == "a");
    CHECK(drop_code_points(run + "\xC3\xA9", 100) == "\xC3\xA9");
    CHECK(find_invalid_utf8(run + "\xC3\xA9\xFF") == 102);
}
