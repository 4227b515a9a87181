#pragma once

#include "isa/lanes.hpp"

// Floating-point operations as gfx942 does them, written so that loops over lanes become vectors.

namespace kbuild::emulator {
namespace KBUILD_LANES {

template <class T> struct FloatBits;
template <> struct FloatBits<float> {
    using Bits = u32;
    static constexpr Bits kSign = 0x80000000U;
    static constexpr Bits kExponent = 0x7f800000U;
    static constexpr Bits kQuiet = 0x00400000U;
    static constexpr Bits kNan = 0x7fc00000U;
};
template <> struct FloatBits<double> {
    using Bits = u64;
    static constexpr Bits kSign = 0x8000000000000000U;
    static constexpr Bits kExponent = 0x7ff0000000000000U;
    static constexpr Bits kQuiet = 0x0008000000000000U;
    static constexpr Bits kNan = 0x7ff8000000000000U;
};
template <> struct FloatBits<f16> {
    using Bits = u16;
    static constexpr Bits kSign = 0x8000U;
    static constexpr Bits kExponent = 0x7c00U;
    static constexpr Bits kQuiet = 0x0200U;
    static constexpr Bits kNan = 0x7e00U;
};

template <class T> auto bits_of(T value) {
    return std::bit_cast<typename FloatBits<T>::Bits>(value);
}

template <class T> bool is_nan(T value) {
    using B = FloatBits<T>;
    return static_cast<typename B::Bits>(bits_of(value) & ~B::kSign) > B::kExponent;
}
template <class T> bool is_signaling(T value) {
    using B = FloatBits<T>;
    // As numbers: no branch, so lanes go in vectors.
    return (int{is_nan(value)} & int{(bits_of(value) & B::kQuiet) == 0}) != 0;
}
template <class T> T quieted(T value) {
    using B = FloatBits<T>;
    return std::bit_cast<T>(static_cast<typename B::Bits>(bits_of(value) | B::kQuiet));
}
template <class T> T negated(T value) {
    using B = FloatBits<T>;
    return std::bit_cast<T>(static_cast<typename B::Bits>(bits_of(value) ^ B::kSign));
}

/// The number, if the other one is NaN; -0 is less than +0; a signaling NaN becomes a quiet one
/// (IEEE mode, which compute kernels run in).
template <class T> T minimum(T a, T b) {
    using B = FloatBits<T>;
    const T equal = std::bit_cast<T>(static_cast<typename B::Bits>(bits_of(a) | bits_of(b)));
    const T number = a < b ? a : b < a ? b : equal;
    const T one = is_nan(a) ? b : is_nan(b) ? a : number;
    return is_signaling(a) ? quieted(a) : is_signaling(b) ? quieted(b) : one;
}
template <class T> T maximum(T a, T b) {
    using B = FloatBits<T>;
    const T equal = std::bit_cast<T>(static_cast<typename B::Bits>(bits_of(a) & bits_of(b)));
    const T number = a > b ? a : b > a ? b : equal;
    const T one = is_nan(a) ? b : is_nan(b) ? a : number;
    return is_signaling(a) ? quieted(a) : is_signaling(b) ? quieted(b) : one;
}
template <class T> T median(T a, T b, T c) {
    if (is_nan(a) || is_nan(b) || is_nan(c))
        return minimum(minimum(a, b), c);
    return maximum(minimum(a, b), minimum(maximum(a, b), c));
}

template <class T> bool is_denormal(T value) {
    const T size = value < T(0) ? negated(value) : value;
    return size != T(0) && size < std::bit_cast<T>(static_cast<typename FloatBits<T>::Bits>(
                                      FloatBits<T>::kQuiet << 1U));
}

inline i32 exponent_bits(float value) {
    return static_cast<i32>(bits_of(value) >> 23U & 0xffU);
}
inline i32 exponent_bits(double value) {
    return static_cast<i32>(bits_of(value) >> 52U & 0x7ffU);
}

/// Constants of the division helpers.
template <class T> struct Division;
template <> struct Division<float> {
    static constexpr i32 kFar = 96; ///< quotient near the largest number
    static constexpr i32 kScale = 64;
    static constexpr i32 kTiny = 23; ///< numerator's biased exponent
    static constexpr i32 kBias = 127;
    static constexpr i32 kUnderflow = -150;
    static constexpr i32 kTop = 255;
};
template <> struct Division<double> {
    static constexpr i32 kFar = 768;
    static constexpr i32 kScale = 128;
    static constexpr i32 kTiny = 53;
    static constexpr i32 kBias = 1023;
    static constexpr i32 kUnderflow = -1075;
    static constexpr i32 kTop = 2047;
};

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
