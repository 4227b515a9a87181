#pragma once

#include "machine/types.hpp"

#include <cmath>

// Floating-point formats as IEEE 754 defines them, told from their sizes alone: values are taken
// apart and rounded here in long double, which holds every number of every format exactly.

namespace kbuild::emulator {

struct Format {
    u32 bits;
    i32 mantissa; ///< digits behind the point

    i32 bias() const { return (1 << (bits - 2 - static_cast<u32>(mantissa))) - 1; }
    u64 sign() const { return u64{1} << (bits - 1); }
    u64 infinity() const { return sign() - (u64{1} << mantissa); }
    u64 quiet() const { return u64{1} << (mantissa - 1); }
    u64 all() const { return sign() | (sign() - 1); }
};

inline constexpr Format kF16{16, 10};
inline constexpr Format kBf16{16, 7};
inline constexpr Format kF32{32, 23};
inline constexpr Format kF64{64, 52};

inline bool nan_in(Format f, u64 code) {
    return (code & ~f.sign() & f.all()) > f.infinity();
}
inline bool signaling_in(Format f, u64 code) {
    return nan_in(f, code) && (code & f.quiet()) == 0;
}
inline bool infinite_in(Format f, u64 code) {
    return (code & ~f.sign() & f.all()) == f.infinity();
}
inline bool zero_in(Format f, u64 code) {
    return (code & ~f.sign() & f.all()) == 0;
}
inline bool negative_in(Format f, u64 code) {
    return (code & f.sign()) != 0;
}

/// The number that a code means; NaN and infinities as such.
inline long double value_in(Format f, u64 code) {
    const auto exponent = static_cast<i32>((code & f.infinity()) >> f.mantissa);
    const u64 digits = code & ((u64{1} << f.mantissa) - 1);
    long double size = 0;
    if (nan_in(f, code))
        size = std::nanl("");
    else if (infinite_in(f, code))
        size = HUGE_VALL;
    else if (exponent == 0)
        size = std::ldexp(static_cast<long double>(digits), 1 - f.bias() - f.mantissa);
    else
        size = std::ldexp(static_cast<long double>(digits + (u64{1} << f.mantissa)),
                          exponent - f.bias() - f.mantissa);
    return negative_in(f, code) ? -size : size;
}

enum class Rounding { nearest_even, toward_zero };

/// The code nearest to a number: one rounding; what is too large becomes infinity, or the largest
/// number if the rounding is toward zero.
inline u64 rounded_to(Format f, long double value, Rounding rounding = Rounding::nearest_even) {
    const u64 sign = std::signbit(value) ? f.sign() : 0;
    if (std::isnan(value))
        return f.infinity() | f.quiet();
    if (std::isinf(value))
        return sign | f.infinity();
    const long double size = std::fabs(value);
    if (size == 0)
        return sign;
    int exponent = 0;
    std::frexp(size, &exponent);
    const i32 lowest = 1 - f.bias();
    if (exponent - 1 > f.bias())
        return sign | (rounding == Rounding::toward_zero ? f.infinity() - 1 : f.infinity());
    const i32 unit = (exponent - 1 < lowest ? lowest : exponent - 1) - f.mantissa;
    const long double units = std::ldexp(size, -unit);
    const auto digits = static_cast<u64>(rounding == Rounding::toward_zero ? std::trunc(units)
                                                                           : std::nearbyint(units));
    // A carry out of the digits raises the exponent by itself.
    const u64 code = digits + (static_cast<u64>(unit + f.mantissa - lowest) << f.mantissa);
    if (code >= f.infinity())
        return sign | (rounding == Rounding::toward_zero ? f.infinity() - 1 : f.infinity());
    return sign | code;
}

/// Equal, or NaN both: payloads are not modelled.
inline bool same_code(Format f, u64 got, u64 want) {
    return (got & f.all()) == (want & f.all()) || (nan_in(f, got) && nan_in(f, want));
}

} // namespace kbuild::emulator
