#include "words.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::precompile;

namespace {

std::string words_of(std::string_view text) {
    std::unordered_set<std::string> words;
    collect_words(text, words);
    return word_list(words);
}

} // namespace

TEST_CASE("words are sorted, each once, between line ends") {
    CHECK(words_of("int b = a + b;") == "\na\nb\nint\n");
    CHECK(words_of("") == "\n");
}

TEST_CASE("comments and texts have words, too") {
    CHECK(words_of("// if NDEBUG\n\"HALF_2\"") == "\nHALF_2\nNDEBUG\nif\n");
}

TEST_CASE("words hold digits and do not begin with them by themselves") {
    CHECK(words_of("x1 0x2F _3 é7z") == "\n_3\nx1\nx2F\nz\n");
}
