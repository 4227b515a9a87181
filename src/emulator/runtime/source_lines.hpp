#pragma once

#include "kbuild/emulator/module.hpp"

#include <cstdint>
#include <string>

namespace kbuild::emulator {

/// `file:line` of the code at `offset` in the module, if it was compiled with line tables
/// (`-gline-tables-only`); else nothing.
std::string source_line(const Module& module, std::uint64_t offset);

} // namespace kbuild::emulator
