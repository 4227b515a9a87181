#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace kbuild::emulator {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

inline constexpr u32 kLanes = 64; ///< gfx942 runs waves of 64

/// One vector register: a word per lane.
struct alignas(64) Register {
    u32 lane[kLanes];
};

} // namespace kbuild::emulator
