#include "parse.hpp"

#include "kbuild/config/migrate.hpp"
#include "kbuild/support/strings.hpp"

using namespace kbuild;
using Places = std::vector<std::string>;

namespace {

struct Outcome {
    std::optional<config::Migration> migration;
    Places places;
};

Outcome migrate(const std::string& text, std::optional<std::string> license = {}) {
    diag::Collector findings;
    auto result = config::migrate_build_file("build.toml", text, {std::move(license)}, findings);
    REQUIRE(result); // an Error would be a bug: the result would mean something else
    Outcome outcome{std::move(*result), {}};
    for (const auto& finding : findings.sorted())
        outcome.places.push_back(finding.code + " " + std::to_string(finding.span.begin.line) +
                                 ":" + std::to_string(finding.span.begin.column));
    return outcome;
}

/// The text after migration, which must be possible, and current from then on.
std::string migrated(const std::string& text, std::optional<std::string> license = {}) {
    const auto outcome = migrate(text, std::move(license));
    CHECK(outcome.places == Places{});
    REQUIRE(outcome.migration);
    const auto again = migrate(outcome.migration->text);
    REQUIRE(again.migration);
    CHECK(again.migration->from == 5);
    CHECK(again.migration->text == outcome.migration->text);
    return outcome.migration->text;
}

const std::string kFour = "# A kernel.\n"
                          "[general]\n"
                          "name    = \"ab\"   # its name\n"
                          "version = 1      # of the API\n"
                          "license = 'MIT'\n"
                          "backends = [\n  \"rocm\", # MI300X\n]\n"
                          "\n"
                          "[torch]\n"
                          "  src = []\n";

} // namespace

TEST_CASE("edition 4 gets one line, and every other byte stays") {
    auto expected = kFour;
    expected.insert(expected.find("license"), "edition = 5\n");
    CHECK(migrated(kFour) == expected);
}

TEST_CASE("a current file is left alone, mistakes or not") {
    const auto outcome = migrate(parse::minimal("nonsense = 1\n"));
    REQUIRE(outcome.migration);
    CHECK(outcome.migration->from == 5);
    CHECK(outcome.migration->changes.empty());
}

TEST_CASE("Windows line ends and a byte order mark stay what they are") {
    const auto windows = "\xEF\xBB\xBF" + support::replace_all(kFour, "\n", "\r\n");
    const auto result = migrated(windows);
    CHECK(result.starts_with("\xEF\xBB\xBF# A kernel.\r\n"));
    CHECK(support::contains(result, "# of the API\r\nedition = 5\r\nlicense"));
    CHECK(support::replace_all(result, "\r\n", "").find('\n') == std::string::npos);
}

TEST_CASE("the new keys stand where the table has its own: indented, dotted or in braces") {
    CHECK(migrated("[general]\n  name = \"ab\"\n  version = 1\n  license = \"x\"\n"
                   "  backends = []\n[torch]\n") ==
          "[general]\n  name = \"ab\"\n  version = 1\n  edition = 5\n  license = \"x\"\n"
          "  backends = []\n[torch]\n");
    CHECK(migrated("general.name = \"ab\"\ngeneral.version = 1\ngeneral.license = \"x\"\n"
                   "general.backends = []\ntorch = {}\n") ==
          "general.name = \"ab\"\ngeneral.version = 1\ngeneral.edition = 5\n"
          "general.license = \"x\"\ngeneral.backends = []\ntorch = {}\n");
    CHECK(migrated("general = { name = \"ab\", backends = [], version = 1, license = \"x\" }\n"
                   "[torch]\n") ==
          "general = { name = \"ab\", backends = [], version = 1, edition = 5, license = \"x\" }\n"
          "[torch]\n");
}

TEST_CASE("edition 3 gets version 1, the license that is asked for, and a framework table") {
    CHECK(migrated("[general]\nname = \"ab\"\nbackends = [\"rocm\"] # one", "Apache-2.0") ==
          "[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"Apache-2.0\"\n"
          "backends = [\"rocm\"] # one\n\n[torch-noarch]\n");
}

TEST_CASE("a license is never made up, and one that is there is never replaced") {
    const std::string text = "[general]\nname = \"ab\"\nbackends = []\n[torch]\n";
    const auto outcome = migrate(text);
    CHECK_FALSE(outcome.migration);
    CHECK(outcome.places == Places{"K0123 1:1"});
    CHECK(support::contains(migrated(kFour, "BSD-3-Clause"), "license = 'MIT'"));
    CHECK(support::contains(migrated(text, "a \"quoted\" \\ one"),
                            "license = \"a \\\"quoted\\\" \\\\ one\"\n"));
}

TEST_CASE("edition 2: backends are written down, CUDA's keys move, universal goes") {
    CHECK(migrated("[general]\nname = \"ab\"\nuniversal = false\ncuda-minver = \"12.4\" # why\n"
                   "python-depends = [\"nvidia-cutlass-dsl\", \"einops\"]\n\n[torch]\n\n"
                   "[kernel.a]\nbackend = \"cuda\"\ndepends = []\nsrc = [\"a.cu\"]\n",
                   "MIT") ==
          "[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"MIT\"\n"
          "backends = [\"cuda\"]\ncuda.minver = \"12.4\" # why\n"
          "python-depends = [\"einops\"]\ncuda.python-depends = [\"nvidia-cutlass-dsl\"]\n\n"
          "[torch]\n\n"
          "[kernel.a]\nbackend = \"cuda\"\ndepends = []\nsrc = [\"a.cu\"]\n");
    CHECK(support::contains(
        migrated("[general]\nname = \"ab\"\npython-depends = [\"nvidia-cutlass-dsl\"]\n[torch]\n",
                 "MIT"),
        "\ncuda.python-depends = [\"nvidia-cutlass-dsl\"]\n"));
}

TEST_CASE("a comment beside a key that goes stays, on its line") {
    CHECK(support::contains(
        migrated("[general]\nname = \"ab\"\nuniversal = false # not yet\n[torch]\n", "x"),
        "\n# not yet\n"));
}

TEST_CASE("a universal kernel becomes one of Python files") {
    CHECK(migrated("[general]\nname = \"ab\"\nuniversal = true\n\n[torch]\npyext = [\"json\"]\n",
                   "MIT") ==
          "[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"MIT\"\n"
          "backends = [\"cpu\", \"cuda\", \"metal\", \"rocm\", \"xpu\"]\n\n"
          "[torch-noarch]\npyext = [\"json\"]\n");
    CHECK(support::contains(
        migrated("general = { name = \"ab\", universal = true }\n", "MIT"),
        "general = { name = \"ab\", version = 1, edition = 5, license = \"MIT\", backends = "
        "[\"cpu\", \"cuda\", \"metal\", \"rocm\", \"xpu\"] }\n\n[torch-noarch]\n"));
}

TEST_CASE("edition 1: language becomes backend, and a hipified kernel two sections") {
    CHECK(migrated("[general]\nname = \"ab\"\n\n[torch]\nuniversal = false\n\n"
                   "[kernel.a]\nlanguage = \"cuda-hipify\" # both\n"
                   "cuda-capabilities = [\"9.0\"]\nrocm-archs = [\n  \"gfx942\", # MI300X\n]\n"
                   "depends = [\"torch\"]\nsrc = [\n  \"a.cu\",\n]\n\n"
                   "[kernel.b]\ndepends = []\nsrc = [\"b.cu\"]\n",
                   "MIT") ==
          "[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"MIT\"\n"
          "backends = [\"cuda\", \"rocm\"]\n\n[torch]\n\n"
          "[kernel.a]\nbackend = \"cuda\" # both\n"
          "cuda-capabilities = [\"9.0\"]\n"
          "depends = [\"torch\"]\nsrc = [\n  \"a.cu\",\n]\n\n"
          "[kernel.a_rocm]\nbackend = \"rocm\"\nrocm-archs = [\n  \"gfx942\", # MI300X\n]\n"
          "depends = [\"torch\"]\nsrc = [\n  \"a.cu\",\n]\n\n"
          "[kernel.b]\nbackend = \"cuda\"\ndepends = []\nsrc = [\"b.cu\"]\n");
}

TEST_CASE("lists that had no effect in edition 1 go, and that is said") {
    const auto outcome = migrate("[general]\nname = \"ab\"\n[torch]\n[kernel.a]\n"
                                 "language = \"metal\"\nrocm-archs = [\"gfx942\"]\n"
                                 "cuda-capabilities = [\"9.0\"]\ndepends = []\nsrc = [\"a.mm\"]\n",
                                 "MIT");
    REQUIRE(outcome.migration);
    CHECK(support::contains(outcome.migration->text,
                            "backend = \"metal\"\ndepends = []\nsrc = [\"a.mm\"]\n"));
    CHECK(support::contains(support::join(outcome.migration->changes, "\n"),
                            "removed `kernel.a.rocm-archs`, which had no effect"));
}

TEST_CASE("what has no counterpart today is refused with the place, all of it in one run") {
    CHECK(migrate("[general]\nname = \"ab\"\nuniversal = true\n[torch]\nminver = \"2.4\"\n"
                  "src = [\"a.cpp\"]\n[kernel.a]\nbackend = \"cuda\"\ndepends = []\n"
                  "src = [\"a.cu\"]\n")
              .places == Places{"K0123 1:1", "K0124 3:1", "K0124 5:1", "K0124 6:1"});
    CHECK(migrate("[general]\nname = \"ab\"\n[torch]\n"
                  "[kernel.a]\nlanguage = \"cuda-hipify\"\ndepends = []\nsrc = [\"a.cu\"]\n"
                  "[kernel.a_rocm]\ndepends = []\nsrc = [\"a.cu\"]\n",
                  "MIT")
              .places == Places{"K0124 8:9"});
    CHECK(migrate("[general]\nname = \"ab\"\n[torch]\n"
                  "[kernel]\na = { language = \"cuda-hipify\", depends = [], src = [\"a.cu\"] }\n",
                  "MIT")
              .places == Places{"K0124 5:1"});
}

TEST_CASE("a file with mistakes is left alone and its mistakes are told") {
    const auto outcome = migrate("[general]\nname = \"a_b\"\nbackends = [\"rcom\"]\n", "MIT");
    CHECK_FALSE(outcome.migration);
    CHECK(outcome.places == Places{"K0106 2:8", "K0103 3:13"});
    CHECK(migrate("[general\n").places == Places{"K0001 1:9"});
    CHECK(migrate("[general]\nedition = 4\n").places == Places{"K0108 2:11"});
    CHECK(migrate("[build]\nname = \"ab\"\n").places ==
          Places{"K0101 1:1", "K0110 1:1", "K0104 1:2"});
    CHECK(migrate("[general]\nedition = \"5\"\n").places.at(1) == "K0101 1:1");
}
