#include "isa/rows.hpp"
#include "isa/valu.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

/// Sum of `count` products of equal parts of two words.
template <class Part> u32 dot(u32 a, u32 b, u32 c, u32 bits) {
    u32 sum = c;
    for (u32 i = 0; i < 32; i += bits) {
        const u32 up = 32 - bits;
        const auto x = static_cast<Part>(static_cast<Part>(a >> i << up) >> up);
        const auto y = static_cast<Part>(static_cast<Part>(b >> i << up) >> up);
        sum += static_cast<u32>(x) * static_cast<u32>(y);
    }
    return sum;
}

constexpr Row kRows[] = {
    lane_row("v_dot4_i32_i8", [](u32 a, u32 b, u32 c) { return dot<i32>(a, b, c, 8); }),
    lane_row("v_dot4_u32_u8", [](u32 a, u32 b, u32 c) { return dot<u32>(a, b, c, 8); }),
    lane_row("v_dot8_i32_i4", [](u32 a, u32 b, u32 c) { return dot<i32>(a, b, c, 4); }),
    lane_row("v_dot8_u32_u4", [](u32 a, u32 b, u32 c) { return dot<u32>(a, b, c, 4); }),
    lane_row("v_dot2_i32_i16", [](u32 a, u32 b, u32 c) { return dot<i32>(a, b, c, 16); }),
    lane_row("v_dot2_u32_u16", [](u32 a, u32 b, u32 c) { return dot<u32>(a, b, c, 16); }),
    accumulate_row("v_dot4c_i32_i8", [](u32 a, u32 b, u32 c) { return dot<i32>(a, b, c, 8); }),
    accumulate_row("v_dot8c_i32_i4", [](u32 a, u32 b, u32 c) { return dot<i32>(a, b, c, 4); }),
    accumulate_row("v_dot2c_i32_i16", [](u32 a, u32 b, u32 c) { return dot<i32>(a, b, c, 16); }),
};

} // namespace

std::span<const Row> dot_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
