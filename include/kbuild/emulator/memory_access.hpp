#pragma once

#include <cstdint>
#include <vector>

namespace kbuild::emulator {

/// What an operation reads or writes of one allocation, from its first to its last byte.
struct MemoryAccess {
    std::uint64_t allocation = 0; ///< where the allocation begins
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool write = false;
};

/// Widens the access of this kind to this allocation, or adds one.
void add_access(std::vector<MemoryAccess>& all, const MemoryAccess& access);

} // namespace kbuild::emulator
