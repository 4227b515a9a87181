#include "parse.hpp"

using Places = std::vector<std::string>;

TEST_CASE("there is exactly one framework table") {
    CHECK(
        parse::text(
            "[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"x\"\nbackends = []\n")
            .places() == Places{"K0110 1:1"});
    const auto two = parse::text(parse::minimal("[torch-noarch]\n"));
    CHECK(two.places() == Places{"K0110 12:2"});
    CHECK(two.only().related.at(0).span.begin.line == 7);
}

TEST_CASE("a kernel section without sources is an error") {
    const auto outcome =
        parse::text("[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"x\"\n"
                    "backends = [\"rocm\"]\n[torch]\n"
                    "[kernel.a]\nbackend = \"rocm\"\ndepends = []\nsrc = []\n");
    CHECK(outcome.places() == Places{"K0113 11:7"});
}

TEST_CASE("a section for a backend that is not listed is warned about, and built without") {
    const auto outcome = parse::text(
        parse::minimal("[kernel.host]\nbackend = \"cpu\"\ndepends = []\nsrc = [\"a.cpp\"]\n"));
    CHECK(outcome.config);
    CHECK(outcome.only().severity == parse::Severity::warning);
    CHECK(outcome.places() == Places{"K0114 12:1"});
}

TEST_CASE("a misspelt backend is one finding, not one per section") {
    auto text = parse::minimal();
    text.replace(text.find("[\"rocm\"]"), 8, "[\"rcom\"]");
    CHECK(parse::text(text).places() == Places{"K0103 6:13"});
}

TEST_CASE("a listed backend without a section becomes a package of Python files, with a warning") {
    auto text = parse::minimal();
    text.replace(text.find("[\"rocm\"]"), 8, "[\"rocm\", \"cpu\"]");
    const auto outcome = parse::text(text);
    CHECK(outcome.config);
    CHECK(outcome.places() == Places{"K0115 6:21"});
    CHECK(outcome.only().severity == parse::Severity::warning);
}

TEST_CASE("a section with an unreadable backend does not make the listed one missing as well") {
    auto text = parse::minimal();
    text.replace(text.find("backend = \"rocm\""), 16, "backend = \"ROCm\"");
    CHECK(parse::text(text).places() == Places{"K0103 9:11"});
}

TEST_CASE("a noarch kernel needs no sections") {
    const auto outcome =
        parse::text("[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"x\"\n"
                    "backends = [\"rocm\", \"cuda\"]\n[torch-noarch]\n[kernel]\n");
    CHECK(outcome.config);
    CHECK(outcome.findings.empty());
}

TEST_CASE("what is listed twice counts once and is warned about") {
    auto text = parse::minimal("rocm-archs = [\"gfx942\", \"gfx942\"]\n");
    text.replace(text.find("[\"rocm\"]"), 8, "[\"rocm\", \"rocm\"]");
    const auto outcome = parse::text(text);
    REQUIRE(outcome.config);
    CHECK(outcome.places() == Places{"K0118 6:21", "K0118 12:25"});
    CHECK(outcome.config->general.backends.size() == 1);
    CHECK(outcome.config->kernels.at(0).rocm_archs.size() == 1);
}

TEST_CASE(
    "retired architectures are left out with a warning, and with nothing left it is an error") {
    const auto some = parse::text(parse::minimal("rocm-archs = [\"gfx940\", \"gfx942\"]\n"));
    REQUIRE(some.config);
    CHECK(some.places() == Places{"K0119 12:15"});
    CHECK(some.config->kernels.at(0).rocm_archs.size() == 1);
    const auto none = parse::text(parse::minimal("rocm-archs = [\"gfx940\", \"gfx941\"]\n"));
    CHECK_FALSE(none.config);
    CHECK(none.places() == Places{"K0122 12:14", "K0119 12:15", "K0119 12:25"});
}

TEST_CASE("architectures that upstream drops in silence are warned about") {
    const auto outcome =
        parse::text(parse::minimal("rocm-archs = [\"gfx1102\", \"gfx942:xnack-\"]\n"));
    REQUIRE(outcome.config);
    CHECK(outcome.places() == Places{"K0120 12:15", "K0120 12:26"});
    CHECK(outcome.config->kernels.at(0).rocm_archs.at(1).value.to_string() == "gfx942:xnack-");
}

TEST_CASE("an empty list of architectures counts as not given") {
    const auto outcome = parse::text(parse::minimal("rocm-archs = []\n"));
    REQUIRE(outcome.config);
    CHECK(outcome.places() == Places{"K0121 12:14"});
    CHECK(outcome.config->kernels.at(0).rocm_archs.empty());
}

TEST_CASE("bounds that leave nothing are an error") {
    const auto outcome =
        parse::text("[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"x\"\n"
                    "backends = []\n[torch]\nminver = \"2.13\"\nmaxver = \"2.9\"\n");
    CHECK(outcome.places() == Places{"K0201 9:10"});
    CHECK(outcome.only().related.at(0).span.begin.line == 8);
}
