#pragma once

#include <cstddef>
#include <string_view>

namespace kbuild::emulator {

/// Whether a test of its own compares this instruction with the ISA's formula or an oracle.
/// tests/unit/emulator/coverage_test.cpp keeps the list true.
bool is_tested(std::string_view name);

/// Rows of the tables that have none.
extern const std::size_t kUntested;

} // namespace kbuild::emulator
