#include "kbuild/step/response_file.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using Words = std::vector<std::string>;

TEST_CASE("a file of arguments is read as compilers read it") {
    CHECK(step::words_of_response_file("").empty());
    CHECK(step::words_of_response_file("a.o b.o\nc.o\n\n -lm ") ==
          Words{"a.o", "b.o", "c.o", "-lm"});
    CHECK(step::words_of_response_file(R"("my file.o" it\'s 'a"b\\c' "" x"y"z)") ==
          Words{"my file.o", "it's", R"(a"b\c)", "", "xyz"});
}

TEST_CASE("what is written is read as it was") {
    const Words words{"", "a.o", "my \"file\".o", "it's\\here", "tab\tnewline\nend", "@x", "-lm"};
    CHECK(step::words_of_response_file(step::response_file(words)) == words);
}
