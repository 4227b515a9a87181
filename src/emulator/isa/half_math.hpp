#pragma once

#include "isa/float_math.hpp"

/// Arithmetic of half floats that the scalar and the packed instructions share.
namespace kbuild::emulator {
namespace KBUILD_LANES {

inline float wide(f16 value) {
    return static_cast<float>(value);
}
// Sums, products, quotients and roots in float round to the right half: 24 >= 2 * 11 + 2.
inline f16 half(float value) {
    return fixed_nan(static_cast<f16>(value));
}

/// One rounding: the sum in double is made odd where it is not exact, so that the second rounding
/// can't go wrong.
inline f16 fused(f16 a, f16 b, f16 c) {
    const double product = static_cast<double>(wide(a)) * static_cast<double>(wide(b));
    const double addend = static_cast<double>(wide(c));
    const double sum = product + addend;
    const double virtual_addend = sum - product;
    const double error = (product - (sum - virtual_addend)) + (addend - virtual_addend);
    u64 bits = std::bit_cast<u64>(sum);
    if (error != 0 && std::isfinite(sum) && (bits & 1U) == 0)
        bits += (error > 0) == (sum > 0) ? 1U : ~u64{0};
    return fixed_nan(static_cast<f16>(std::bit_cast<double>(bits)));
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
