#include "isa/rows.hpp"
#include "isa/valu.hpp"

#include <algorithm>

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

u16 low(i32 value) {
    return static_cast<u16>(value);
}
u16 low(u32 value) {
    return static_cast<u16>(value);
}

template <class T> T median(T a, T b, T c) {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

constexpr u8 kSecond = 4;

constexpr Row kRows[] = {
    lane_row("v_add_u16", [](u16 a, u16 b) { return low(a + b); }),
    lane_row("v_sub_u16", [](u16 a, u16 b) { return low(a - b); }),
    lane_row("v_subrev_u16", [](u16 a, u16 b) { return low(b - a); }),
    lane_row("v_mul_lo_u16", [](u16 a, u16 b) { return low(u32{a} * u32{b}); }),
    moving(lane_row("v_lshlrev_b16", [](u16 a, u16 b) { return low(u32{b} << (a & 15U)); }),
           kSecond),
    moving(lane_row("v_lshrrev_b16", [](u16 a, u16 b) { return low(u32{b} >> (a & 15U)); }),
           kSecond),
    moving(lane_row("v_ashrrev_i16", [](u16 a, i16 b) { return low(i32{b} >> (a & 15U)); }),
           kSecond),
    lane_row("v_min_u16", [](u16 a, u16 b) { return std::min(a, b); }),
    lane_row("v_max_u16", [](u16 a, u16 b) { return std::max(a, b); }),
    lane_row("v_min_i16", [](i16 a, i16 b) { return std::min(a, b); }),
    lane_row("v_max_i16", [](i16 a, i16 b) { return std::max(a, b); }),
    lane_row("v_min3_u16", [](u16 a, u16 b, u16 c) { return std::min(std::min(a, b), c); }),
    lane_row("v_max3_u16", [](u16 a, u16 b, u16 c) { return std::max(std::max(a, b), c); }),
    lane_row("v_med3_u16", [](u16 a, u16 b, u16 c) { return median(a, b, c); }),
    lane_row("v_min3_i16", [](i16 a, i16 b, i16 c) { return std::min(std::min(a, b), c); }),
    lane_row("v_max3_i16", [](i16 a, i16 b, i16 c) { return std::max(std::max(a, b), c); }),
    lane_row("v_med3_i16", [](i16 a, i16 b, i16 c) { return median(a, b, c); }),
    lane_row("v_add_i16", [](u16 a, u16 b) { return low(a + b); }),
    lane_row("v_sub_i16", [](u16 a, u16 b) { return low(a - b); }),
    with_flags(lane_row("v_mad_u16", [](u16 a, u16 b, u16 c) { return low(u32{a} * u32{b} + c); }),
               kHalfResult),
    with_flags(lane_row("v_mad_i16", [](u16 a, u16 b, u16 c) { return low(u32{a} * u32{b} + c); }),
               kHalfResult),
    with_flags(
        lane_row("v_mad_legacy_u16", [](u16 a, u16 b, u16 c) { return low(u32{a} * u32{b} + c); }),
        kNoFlag),
    lane_row("v_mad_u32_u16", [](u16 a, u16 b, u32 c) { return u32{a} * u32{b} + c; }),
    lane_row("v_mad_i32_i16",
             [](i16 a, i16 b, u32 c) { return static_cast<u32>(i32{a} * i32{b}) + c; }),
    moving(lane_row("v_pack_b32_f16",
                    [](f16 a, f16 b) {
                        return u32{std::bit_cast<u16>(a)} | u32{std::bit_cast<u16>(b)} << 16U;
                    }),
           6),
};

} // namespace

std::span<const Row> integer16_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
