#pragma once

#include "machine/instruction.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace kbuild::emulator {

// One copy of the instructions per instruction set of the host.
namespace lanes_v1 {
std::vector<std::span<const Row>> tables();
}
namespace lanes_v3 {
std::vector<std::span<const Row>> tables();
}
namespace lanes_v4 {
std::vector<std::span<const Row>> tables();
}

/// The row of an instruction, from the copy that suits this machine best; null if it is unknown.
const Row* find_row(std::string_view name);

/// All rows of that copy, by name.
std::vector<const Row*> all_rows();

/// `x86-64`, `x86-64-v3` or `x86-64-v4`: the copy in use.
std::string_view host_level();

} // namespace kbuild::emulator
