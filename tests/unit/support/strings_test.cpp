#include "kbuild/support/strings.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::support;

TEST_CASE("split keeps empty parts, join puts them together again") {
    CHECK(split("a,,b", ',') == std::vector<std::string>{"a", "", "b"});
    CHECK(split("", ',') == std::vector<std::string>{""});
    CHECK(split(",", ',') == std::vector<std::string>{"", ""});
    for (const auto* text : {"", "a", "a,b", ",a,", ",,"})
        CHECK(join(split(text, ','), ",") == text);
}

TEST_CASE("trim removes blanks at both ends only") {
    CHECK(trim("  a b \t\r\n") == "a b");
    CHECK(trim(" \t ").empty());
    CHECK(trim("").empty());
}

TEST_CASE("replace_all does not look at what it has put in") {
    CHECK(replace_all("aaa", "a", "aa") == "aaaaaa");
    CHECK(replace_all("a-b-c", "-", "") == "abc");
    CHECK(replace_all("abc", "x", "y") == "abc");
}

TEST_CASE("to_lower changes ASCII letters only") {
    CHECK(to_lower("ABC-Ä9") == "abc-Ä9");
}

TEST_CASE("plural counts") {
    CHECK(plural(0, "file") == "0 files");
    CHECK(plural(1, "file") == "1 file");
    CHECK(plural(2, "entry", "entries") == "2 entries");
}

TEST_CASE("human_size rounds to the unit that it shows") {
    CHECK(human_size(999) == "999 B");
    CHECK(human_size(1000) == "1.0 kB");
    CHECK(human_size(95'240) == "95.2 kB");
    CHECK(human_size(999'960) == "1.0 MB");
    CHECK(human_size(3'100'000'000ULL) == "3.1 GB");
}

TEST_CASE("closest finds what was probably meant") {
    const std::vector<std::string> keys = {"backend", "depends", "rocm-archs", "src"};
    CHECK(closest("rocm-arch", keys) == "rocm-archs");
    CHECK(closest("rcm-archs", keys) == "rocm-archs");
    CHECK(closest("bakcend", keys) == "backend"); // two neighbours swapped is one slip
    CHECK(closest("abckend", keys) == "backend"); // at the beginning and
    CHECK(closest("backedn", keys) == "backend"); // at the end, too
    CHECK(closest("SRC", keys) == "src");
    CHECK(closest("src", keys) == "src");
}

TEST_CASE("closest stays silent if nothing is near") {
    const std::vector<std::string> keys = {"backend", "src"};
    CHECK_FALSE(closest("foo", keys));
    CHECK_FALSE(closest("completely-different", keys));
    CHECK_FALSE(closest("", keys));
    CHECK_FALSE(closest("src", {}));
}

TEST_CASE("a glob matches whole names with star and question mark") {
    CHECK(matches_glob("*", ""));
    CHECK(matches_glob("torch213-*", "torch213-cxx11-cpu-x86_64-linux"));
    CHECK(matches_glob("*rocm7?*", "torch213-cxx11-rocm72-x86_64-linux"));
    CHECK(matches_glob("a*b*c", "aXbYbZc"));
    CHECK(matches_glob("abc", "abc"));
    CHECK_FALSE(matches_glob("abc", "abcd"));
    CHECK_FALSE(matches_glob("?", ""));
    CHECK_FALSE(matches_glob("a*b", "ab c"));
    CHECK_FALSE(matches_glob("", "a"));
}

TEST_CASE("a word is quoted for a shell only where it needs it") {
    CHECK(shell_quote("-DNAME=a,b:c@1.2+x%_") == "-DNAME=a,b:c@1.2+x%_");
    CHECK(shell_quote("") == "''");
    CHECK(shell_quote("two words") == "'two words'");
    CHECK(shell_quote("it's $HOME") == "'it'\\''s $HOME'");
}

TEST_CASE("a text that starts with any of several") {
    CHECK(starts_with_any("torch/all.h", {"ATen/", "torch/"}));
    CHECK_FALSE(starts_with_any("my/torch/all.h", {"ATen/", "torch/"}));
    CHECK_FALSE(starts_with_any("torch", std::vector<std::string>()));
}
