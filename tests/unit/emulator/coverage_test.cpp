#include "isa/table.hpp"
#include "one_instruction.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

// Runs last: no instruction may be in the tables that no test before it has looked at.

using namespace kbuild::emulator;

TEST_CASE("every instruction has a test") {
    const auto& seen = instructions_seen();
    if (seen.size() < 100) {
        WARN("only some tests run, so nothing is compared");
        return;
    }
    std::string without;
    for (const Row* const row : all_rows())
        if (!seen.contains(std::string(row->name)))
            without += fmt::format("{}\n", row->name);
    INFO(without);
    CHECK(without.empty());
}

TEST_CASE("the texts of all instructions that were run, for clang") {
    // tests/emulator/assemble_texts says where they go; without it nothing is written.
    const char* const path = std::getenv("KBUILD_TEST_TEXTS");
    if (path == nullptr)
        return;
    std::ofstream file(path);
    for (const auto& [text, immediate] : texts_seen())
        file << immediate << ' ' << text << '\n';
    CHECK(file.flush().good());
}
