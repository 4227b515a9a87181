#include "isa/float_math.hpp"
#include "isa/rows.hpp"
#include "isa/valu.hpp"

#include <algorithm>

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

i32 to_i32(float a) {
    return is_nan(a)            ? 0
           : a < -2147483648.0F ? i32{-2147483647 - 1}
           : a >= 2147483648.0F ? i32{2147483647}
                                : static_cast<i32>(a);
}
u32 to_u32(float a) {
    return !(a > 0.0F) ? 0U : a >= 4294967296.0F ? ~0U : static_cast<u32>(a);
}

u32 half_toward_zero(float value) {
    if (is_nan(value))
        return (bits_of(value) >> 16U & 0x8000U) | 0x7e00U | (bits_of(value) >> 13U & 0x3ffU);
    const u32 sign = bits_of(value) >> 16U & 0x8000U;
    const float size = std::abs(value);
    if (std::isinf(value))
        return sign | 0x7c00U;
    if (size >= 65504.0F)
        return sign | 0x7bffU; // the largest number: infinity is farther from zero
    const u16 nearest = std::bit_cast<u16>(static_cast<f16>(size));
    const float back = static_cast<float>(std::bit_cast<f16>(nearest));
    return sign | (back > size ? nearest - 1U : nearest);
}

u32 byte_into(float value, u32 index, u32 old) {
    const u32 shift = 8 * (index & 3U);
    const float limited = is_nan(value) || value < 0.0F ? 0.0F : value > 255.0F ? 255.0F : value;
    const u32 byte = static_cast<u32>(__builtin_nearbyintf(limited));
    return (old & ~(0xffU << shift)) | byte << shift;
}

constexpr Row kRows[] = {
    lane_row("v_cvt_f32_i32", [](i32 a) { return static_cast<float>(a); }),
    lane_row("v_cvt_f32_u32", [](u32 a) { return static_cast<float>(a); }),
    lane_row("v_cvt_i32_f32", [](float a) { return to_i32(a); }),
    lane_row("v_cvt_u32_f32", [](float a) { return to_u32(a); }),
    lane_row("v_cvt_flr_i32_f32", [](float a) { return to_i32(std::floor(a)); }),
    lane_row("v_cvt_rpi_i32_f32", [](float a) { return to_i32(std::floor(a + 0.5F)); }),
    lane_row("v_cvt_f32_ubyte0", [](u32 a) { return static_cast<float>(a & 0xffU); }),
    lane_row("v_cvt_f32_ubyte1", [](u32 a) { return static_cast<float>(a >> 8U & 0xffU); }),
    lane_row("v_cvt_f32_ubyte2", [](u32 a) { return static_cast<float>(a >> 16U & 0xffU); }),
    lane_row("v_cvt_f32_ubyte3", [](u32 a) { return static_cast<float>(a >> 24U); }),
    lane_row("v_cvt_pkrtz_f16_f32",
             [](float a, float b) { return half_toward_zero(a) | half_toward_zero(b) << 16U; }),
    lane_row("v_cvt_pk_u16_u32",
             [](u32 a, u32 b) { return std::min(a, 65535U) | std::min(b, 65535U) << 16U; }),
    lane_row("v_cvt_pk_i16_i32",
             [](i32 a, i32 b) {
                 return (static_cast<u32>(std::clamp(a, -32768, 32767)) & 0xffffU) |
                        static_cast<u32>(std::clamp(b, -32768, 32767)) << 16U;
             }),
    with_oracle(
        lane_row("v_cvt_pk_u8_f32", [](float a, u32 b, u32 c) { return byte_into(a, b, c); }),
        "to the nearest; the ISA does not say how it rounds"),
    lane_row("v_cvt_off_f32_i4",
             [](u32 a) { return static_cast<float>(static_cast<i32>(a << 28U) >> 28) * 0.0625F; }),
};

} // namespace

std::span<const Row> conversion_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
