#pragma once

#include <cstdint>
#include <filesystem>

namespace kbuild::step {

/// Bytes that new processes can take without swapping: MemAvailable of /proc/meminfo, and not more
/// than what is left of the memory limit of this process's control group and of those above it
/// (v2: memory.max, v1: memory.limit_in_bytes; file pages that are not in use count as free). The
/// files are looked for below `root`. 0: it cannot be told.
std::uint64_t free_memory(const std::filesystem::path& root = "/");

/// What compiles may hold together, of that many free bytes: three quarters. The rest is for what
/// grows beyond its peak of last time, and for the user.
constexpr std::uint64_t share_of(std::uint64_t free) {
    return free / 4 * 3;
}

} // namespace kbuild::step
