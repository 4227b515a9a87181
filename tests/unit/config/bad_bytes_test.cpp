#include "parse.hpp"

#include <ctime>

using Places = std::vector<std::string>;

TEST_CASE("an empty file says what is missing") {
    CHECK(parse::text("").places() == Places{"K0101 1:1", "K0110 1:1"});
    CHECK(parse::text("\n\n").places() == Places{"K0101 1:1", "K0110 1:1"});
}

TEST_CASE("a byte order mark and Windows line ends change nothing") {
    auto text = "\xEF\xBB\xBF" + parse::minimal("nonsense = 1\n");
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
        text.insert(at, "\r");
    CHECK(parse::text(text).places() == Places{"K0104 12:1"});
}

TEST_CASE("syntax errors have a place and never end the program") {
    CHECK(parse::text("[/").places() == Places{"K0001 1:2"});
    CHECK(parse::text("[a.]").places() == Places{"K0001 1:4"});
    CHECK(parse::text("a.=1").places() == Places{"K0001 1:3"});
    CHECK(parse::text("\xD1\x90").places() == Places{"K0001 1:1"}); // U+0450
    CHECK(parse::text("k = 1 \xC3\xA9").places() ==
          Places{"K0001 1:7"}); // a letter where a line should end
    CHECK(parse::text("a = \"x\x01\"").places() == Places{"K0001 1:7"});
    CHECK(parse::text(std::string("a = \"x\0y\"", 9)).places() == Places{"K0001 1:7"});
    CHECK(parse::text("a = [1, 2").places().at(0).substr(0, 5) == "K0001");
    CHECK(parse::text("a = \xE2\x80\x9Cx\xE2\x80\x9D").places() ==
          Places{"K0001 1:5"}); // typographic quotes
}

TEST_CASE("a string that is not closed is called that") {
    const auto outcome = parse::text("[general]\nname = \"my-kernel\nversion = 1\n");
    CHECK(outcome.only().message == "not valid TOML: a string is not closed on its line");
    CHECK(outcome.places() == Places{"K0001 2:18"});
}

TEST_CASE("a byte that is not UTF-8 is found where it is") {
    CHECK(parse::text("a = 1\n# \xC3\xA9 \xFF\n").places() == Places{"K0002 2:5"});
}

TEST_CASE("deep nesting is an error, not a stack overflow") {
    CHECK(parse::text("a = " + std::string(100'000, '[')).places().at(0).substr(0, 5) == "K0001");
    std::string tables = "a = ";
    for (int i = 0; i < 10'000; ++i)
        tables += "{b=";
    CHECK(parse::text(tables).places().at(0).substr(0, 5) == "K0001");
}

TEST_CASE("a file above the limit is not parsed") {
    CHECK(parse::text(std::string(2U << 20U, '#')).places() == Places{"K0003 1:1"});
}

TEST_CASE("a key that is defined twice shows both places") {
    const auto outcome = parse::text("[general]\nname = \"a\"\nversion = 1\nname = \"b\"\n");
    CHECK(outcome.places() == Places{"K0004 4:1"});
    CHECK(outcome.only().related.at(0).span.begin == kbuild::diag::Position{2, 1});
}

TEST_CASE("so does a table, and a key that is a table as well") {
    const auto table = parse::text("[kernel.a]\n[torch]\n[kernel.a]\n");
    CHECK(table.places() == Places{"K0004 3:2"});
    CHECK(table.only().related.at(0).span.begin == kbuild::diag::Position{1, 9});
    const auto key = parse::text("[general]\nhub = \"x\"\n[general.hub]\n");
    CHECK(key.places() == Places{"K0004 3:2"});
    CHECK(key.only().related.at(0).span.begin == kbuild::diag::Position{2, 1});
}

TEST_CASE("twice in one inline table is told without the first place") {
    CHECK(parse::text("a = { b = 1, b = 2 }\n").only().code == "K0004");
}

TEST_CASE("no file of the permitted size takes long") {
    std::string keys;
    for (int i = 0; i < 10'000; ++i)
        keys += "key" + std::to_string(i) + " = 1\n";
    std::string archs = parse::minimal("rocm-archs = [");
    for (int i = 0; i < 10'000; ++i)
        archs += "\"gfx9" + std::to_string(10'000 + i) + "\", ";
    archs += "]\n";
    const std::string huge = "[general]\nx = \"" + std::string(1'000'000, 'a') + "\"\n";
    for (const auto& text : {keys, archs, huge}) {
        const auto start = std::clock();
        CHECK_FALSE(parse::text(text).config);
        // Of the processor, so that other work does not count; generous, for this also runs without
        // optimisation and under sanitizers.
        CHECK(std::clock() - start < 10 * CLOCKS_PER_SEC);
    }
}
