#include "parse.hpp"

#include "kbuild/support/strings.hpp"

using Places = std::vector<std::string>;

namespace {

std::string without_line(const std::string& text, const std::string& line) {
    auto result = text;
    const auto at = result.find(line);
    REQUIRE(at != std::string::npos);
    return result.erase(at, line.size());
}

} // namespace

TEST_CASE("a file without edition that has all else is edition 4 and is built after one warning") {
    const auto outcome = parse::text(without_line(parse::minimal(), "edition = 5\n"));
    REQUIRE(outcome.config);
    CHECK(outcome.config->edition == 4);
    CHECK(outcome.only().code == "K0109");
    CHECK(outcome.only().severity == parse::Severity::warning);
}

TEST_CASE("keys of edition 5 are unknown in edition 4, and it is said why") {
    const auto outcome =
        parse::text("[general]\nname = \"ab\"\nversion = 1\nlicense = \"x\"\nbackends = []\n"
                    "kernel-depends = []\n[torch]\n[torch.stable-abi]\nrocm = \"2.11\"\n");
    CHECK(outcome.places() == Places{"K0109 1:1", "K0104 6:1", "K0102 8:1"});
    CHECK(outcome.findings[1].notes ==
          Places{"`kernel-depends` exists since edition 5; this file is read as edition 4"});
}

TEST_CASE("edition 4 and edition 5 of a file give the same model") {
    const auto five = parse::text(parse::minimal());
    const auto four = parse::text(without_line(parse::minimal(), "edition = 5\n"));
    REQUIRE((five.config && four.config));
    CHECK(four.config->general.name.value == five.config->general.name.value);
    CHECK(four.config->general.license == five.config->general.license);
    CHECK(four.config->kernels.at(0).src.at(0).value == five.config->kernels.at(0).src.at(0).value);
}

TEST_CASE(
    "editions that cannot be built are named with what they were recognised by, and the command "
    "that helps") {
    const auto no_license =
        without_line(without_line(parse::minimal(), "edition = 5\n"), "license = \"MIT\"\n");
    const auto three = parse::text(no_license);
    CHECK_FALSE(three.config);
    CHECK(three.only().code == "K0108");
    CHECK(three.only().message == "build.toml is of edition 3, which cannot be built");
    CHECK(three.only().notes == Places{"there is no `general.license`"});
    CHECK(three.only().help ==
          Places{"run `kbuild migrate --license LICENSE`, which keeps comments and order"});

    const auto two = parse::text("[general]\nname = \"ab\"\nuniversal = true\n");
    CHECK(two.only().message == "build.toml is of edition 2, which cannot be built");

    const auto one = parse::text("[general]\nname = \"ab\"\n[torch]\n[kernel.a]\n"
                                 "language = \"cuda-hipify\"\ndepends = []\nsrc = [\"a.cu\"]\n");
    CHECK(one.only().message == "build.toml is of edition 1, which cannot be built");
}

TEST_CASE("an edition that does not exist is refused where it is written") {
    for (const auto* number : {"4", "6", "0", "99999999999"}) {
        auto text = parse::minimal();
        text.replace(text.find("edition = 5"), 11, std::string("edition = ") + number);
        CHECK(parse::text(text).places() == Places{"K0108 4:11"});
    }
}

TEST_CASE("an edition of the wrong type is one mistake among the others") {
    auto text = parse::minimal("nonsense = 1\n");
    text.replace(text.find("edition = 5"), 11, "edition = \"5\"");
    CHECK(parse::text(text).places() == Places{"K0102 4:11", "K0104 12:1"});
}
