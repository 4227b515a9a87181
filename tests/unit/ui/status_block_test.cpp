#include "kbuild/ui/status_block.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using Kind = ui::StatusItem::Kind;
using Lines = std::vector<std::string>;

namespace {

ui::Status three_variants() {
    return {{{"torch213-cxx11-cpu-x86_64-linux", "3/3", "compiled", Kind::done},
             {"torch213-cxx11-rocm64-x86_64-linux", "4/12", "failed", Kind::failed},
             {"torch213-cxx11-rocm72-x86_64-linux", "0/12", "waiting", Kind::waiting}},
            {"gemm.hip.gfx942 (gemm_rocm72) for 0:39", "bind.cpp (binding_torch213) for 0:12"},
            "compiling 7/15, 1 failed, 1:04, about 2:10 left"};
}

Lines block_of(const ui::Status& status, std::size_t columns, std::size_t rows) {
    return ui::status_lines(status, {{columns, rows}, false, true});
}

} // namespace

TEST_CASE("a block is the table of items, what runs, and the summary") {
    CHECK(block_of(three_variants(), 80, 24) ==
          Lines{"torch213-cxx11-cpu-x86_64-linux      3/3  compiled",
                "torch213-cxx11-rocm64-x86_64-linux  4/12  failed",
                "torch213-cxx11-rocm72-x86_64-linux  0/12  waiting",
                "  gemm.hip.gfx942 (gemm_rocm72) for 0:39",
                "  bind.cpp (binding_torch213) for 0:12",
                "compiling 7/15, 1 failed, 1:04, about 2:10 left"});
}

TEST_CASE("in a narrow terminal names lose what they have in common, and states stay") {
    CHECK(block_of(three_variants(), 40, 24) == Lines{"torch213-cxx11-cpu      3/3  compiled",
                                                      "torch213-cxx11-rocm64  4/12  failed",
                                                      "torch213-cxx11-rocm72  0/12  waiting",
                                                      "  gemm.hip.gfx942 (gemm_rocm72) for 0:39",
                                                      "  bind.cpp (binding_torch213) for 0:12",
                                                      "compiling 7/15, 1 f...4, about 2:10 left"});
    CHECK(block_of(three_variants(), 30, 24)[1] == "torch2...ocm64  4/12  failed");
    CHECK(block_of(three_variants(), 30, 24)[2] == "torch2...ocm72  0/12  waiting");
}

TEST_CASE("no line is wider than the terminal, and the block is not as high") {
    for (std::size_t columns = 1; columns < 90; ++columns)
        for (std::size_t rows = 1; rows < 12; ++rows) {
            const auto all = block_of(three_variants(), columns, rows);
            CAPTURE(columns, rows);
            CHECK(all.size() <= std::max<std::size_t>(1, rows - 1));
            for (const auto& line : all)
                CHECK(line.size() <= columns);
        }
}

TEST_CASE(
    "where there are too many items, those that are done are left out first, then waiting ones") {
    CHECK(block_of(three_variants(), 80, 6) ==
          Lines{"torch213-cxx11-rocm64-x86_64-linux  4/12  failed",
                "and 2 more: 1 compiled, 1 waiting",
                "  gemm.hip.gfx942 (gemm_rocm72) for 0:39",
                "  bind.cpp (binding_torch213) for 0:12",
                "compiling 7/15, 1 failed, 1:04, about 2:10 left"});
}

TEST_CASE("the summary is shown where nothing else has room") {
    CHECK(block_of(three_variants(), 80, 2) ==
          Lines{"compiling 7/15, 1 failed, 1:04, about 2:10 left"});
}

TEST_CASE("only what failed is coloured, and only where colour is wanted") {
    const auto all = ui::status_lines(three_variants(), {{80, 24}, true, true});
    CHECK(all[0].find('\x1b') == std::string::npos);
    CHECK(all[1].starts_with("\x1b["));
}

TEST_CASE("names cannot steer the terminal, nor need more than the locale has") {
    ui::Status status;
    status.running = {"a\x1b[2Jb\nc (\xC3\xA4)"};
    status.summary = "s";
    CHECK(ui::status_lines(status, {{80, 24}, false, true})[0] == "  a\\x1b[2Jb c (\xC3\xA4)");
    CHECK(ui::status_lines(status, {{80, 24}, false, false})[0] == "  a\\x1b[2Jb c (?)");
}

TEST_CASE("text is cut in its middle by characters, not by bytes") {
    CHECK(ui::cut_middle("abcdefghij", 10) == "abcdefghij");
    CHECK(ui::cut_middle("abcdefghij", 9) == "abc...hij");
    CHECK(ui::cut_middle("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 5) ==
          "\xC3\xA4...\xC3\xA4");
    CHECK(ui::cut_middle("abcdef", 3) == "abc");
    CHECK(ui::cut_middle("abcdef", 0) == "");
}

TEST_CASE("durations read like a clock") {
    CHECK(ui::clock_text(0) == "0:00");
    CHECK(ui::clock_text(7.4) == "0:07");
    CHECK(ui::clock_text(750) == "12:30");
    CHECK(ui::clock_text(3750) == "1:02:30");
    CHECK(ui::clock_text(-1) == "0:00");
}

TEST_CASE("live lines are written over line by line, from the first one on") {
    ui::LiveLines live;
    CHECK(live.draw({"a", "b"}) == "\r\x1b[?7la\x1b[K\r\nb\x1b[K\x1b[J\x1b[?7h");
    CHECK(live.draw({"a", "b"}) == "");
    CHECK(live.draw({"c"}) == "\r\x1b[1A\x1b[?7lc\x1b[K\x1b[J\x1b[?7h");
    CHECK(live.erase() == "\r\x1b[J");
    CHECK(live.erase() == "");
}

TEST_CASE("live lines that were left are not written over") {
    ui::LiveLines live;
    (void)live.draw({"a", "b"});
    live.leave();
    CHECK(live.draw({"c"}) == "\r\x1b[?7lc\x1b[K\x1b[J\x1b[?7h");
}
