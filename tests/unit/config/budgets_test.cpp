#include "budgets.hpp"

#include "kbuild/config/load.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace kbuild;
using config::parse_size;

namespace {

/// The budgets of a kbuild.toml; none if it has mistakes.
std::optional<std::vector<model::Budget>> budgets_of(const char* text) {
    diag::Collector findings;
    const auto settings = config::parse_settings("kbuild.toml", text, findings);
    CHECK(findings.has_errors() == !settings.has_value());
    if (!settings)
        return std::nullopt;
    return settings->budgets;
}

} // namespace

TEST_CASE("a size is a number, one blank and a binary unit") {
    CHECK(parse_size("0 B") == 0U);
    CHECK(parse_size("100 B") == 100U);
    CHECK(parse_size("512 KiB") == 512U * 1024);
    CHECK(parse_size("20 MiB") == 20U * 1024 * 1024);
    CHECK(parse_size("1 GiB") == std::uint64_t{1} << 30U);
}

TEST_CASE("anything else is no size") {
    for (const auto* const text : {"",
                                   " ",
                                   "B",
                                   "MiB",
                                   "20",
                                   "20MiB",
                                   "20  MiB",
                                   " 20 MiB",
                                   "20 MiB ",
                                   "20 MB",
                                   "20 mib",
                                   "20 TiB",
                                   "-1 B",
                                   "+1 B",
                                   "1.5 GiB",
                                   "0x10 B",
                                   "20 MiB\n"})
        CHECK_FALSE(parse_size(text));
}

TEST_CASE("a size never overflows") {
    CHECK(parse_size("18446744073709551615 B") == std::numeric_limits<std::uint64_t>::max());
    CHECK_FALSE(parse_size("18446744073709551616 B"));
    CHECK(parse_size("17179869183 GiB") == std::uint64_t{17179869183} << 30U);
    CHECK_FALSE(parse_size("17179869184 GiB"));
    CHECK_FALSE(parse_size("18446744073709551615 KiB"));
}

TEST_CASE("the general budget stands before those of patterns, which keep the file's order") {
    const auto budgets = budgets_of("[budget]\nscratch = 0\nsize = \"20 MiB\"\n"
                                    "[budget.\"z*\"]\nvgprs = 256\n[budget.\"a*\"]\nlds = 1024\n");
    REQUIRE(budgets);
    REQUIRE(budgets->size() == 3);
    CHECK(budgets->at(0).pattern.empty());
    CHECK(budgets->at(0).scratch == 0U);
    CHECK(budgets->at(0).size == 20U * 1024 * 1024);
    CHECK_FALSE(budgets->at(0).vgprs);
    CHECK(budgets->at(1).pattern == "z*");
    CHECK(budgets->at(1).vgprs == 256U);
    CHECK(budgets->at(2).pattern == "a*");
    CHECK(budgets->at(2).lds == 1024U);
}

TEST_CASE("without a budget there is none, and a mistake gives none either") {
    CHECK(budgets_of("[build]\npolicy = \"none\"\n").value().empty());
    CHECK_FALSE(budgets_of("[budget]\nsize = \"20 MB\"\n"));
    CHECK_FALSE(budgets_of("[budget]\nvgpr = 1\n"));
    CHECK_FALSE(budgets_of("[budget\n"));
}
