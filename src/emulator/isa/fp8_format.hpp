#pragma once

#include "isa/lanes.hpp"

// The two 8-bit formats of gfx942: no infinities, no negative zero, 0x80 is NaN ("FNUZ").

namespace kbuild::emulator {
namespace KBUILD_LANES {

struct E4M3 {
    static constexpr u32 kMantissa = 3;
    static constexpr i32 kBias = 8;
};
struct E5M2 {
    static constexpr u32 kMantissa = 2;
    static constexpr i32 kBias = 16;
};

template <class F> float fp8_to_float(u32 code) {
    constexpr u32 exponents = 7 - F::kMantissa;
    if (code == 0x80U)
        return std::bit_cast<float>(0x7fc00000U);
    const auto exponent = static_cast<i32>(code >> F::kMantissa & ((1U << exponents) - 1U));
    const u32 mantissa = code & ((1U << F::kMantissa) - 1U);
    const u32 digits = exponent == 0 ? mantissa : mantissa | 1U << F::kMantissa;
    const i32 power = (exponent == 0 ? 1 : exponent) - F::kBias - static_cast<i32>(F::kMantissa);
    const float size =
        static_cast<float>(digits) * std::bit_cast<float>(static_cast<u32>(power + 127) << 23U);
    return (code & 0x80U) != 0 ? -size : size;
}

/// Nearest, ties to even; NaN, infinities and what is too large give NaN (0x80), with `saturate`
/// the largest number.
template <class F> u32 float_to_fp8(float value, bool saturate) {
    const float size = std::abs(value);
    const u32 sign = std::bit_cast<u32>(value) >> 31U << 7U;
    if (!(size <= 0x1.fffffep127F))
        return value != value || !saturate ? 0x80U : sign | 0x7fU;
    constexpr i32 lowest = 1 - F::kBias; // exponent of the smallest normal number
    const auto exponent = static_cast<i32>(std::bit_cast<u32>(size) >> 23U) - 127;
    const i32 quantum = (exponent < lowest ? lowest : exponent) - static_cast<i32>(F::kMantissa);
    const double scaled =
        static_cast<double>(size) * std::bit_cast<double>(static_cast<u64>(1023 - quantum) << 52U);
    const auto digits = static_cast<u32>(__builtin_nearbyint(scaled));
    if (digits == 0)
        return 0;
    const u32 code = exponent < lowest ? digits
                                       : (static_cast<u32>(exponent + F::kBias) << F::kMantissa) +
                                             digits - (1U << F::kMantissa);
    if (code > 0x7fU)
        return saturate ? sign | 0x7fU : 0x80U;
    return sign | code;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
