#pragma once

#include "isa/fp8_format.hpp"
#include "isa/mfma_layout.hpp"

// The element formats of MFMA operands: how they are unpacked, and how gfx942 adds them up
// (after MMA-Sim's model of CDNA 3, arXiv 2511.10909).

namespace kbuild::emulator {
namespace KBUILD_LANES {

/// A value that no sum of exponents reaches; products that are 0 have it.
inline constexpr i32 kNoExponent = -600;
inline constexpr i32 kZeroExponent = -900;

struct Fp8 {
    using Format = E4M3;
    static constexpr u32 kBits = 8;
    static constexpr i32 kLowest = -7;
};
struct Bf8 {
    using Format = E5M2;
    static constexpr u32 kBits = 8;
    static constexpr i32 kLowest = -15;
};
struct Half {
    static constexpr u32 kBits = 16;
    static constexpr i32 kLowest = -14;
};
struct Bfloat {
    static constexpr u32 kBits = 16;
    static constexpr i32 kLowest = -126;
};
struct Xf32 { ///< a float of which the matrix unit uses 10 bits of mantissa
    static constexpr u32 kBits = 32;
    static constexpr i32 kLowest = -126;
};
struct Float {
    static constexpr u32 kBits = 32;
};

/// An fp8 or bf8 code in the upper 8 bits of a word, whatever is below.
template <class F> float small_float(u32 word) {
    // The exponent field fits float's once the bias is mended by a multiplication, which also takes
    // denormals right.
    constexpr i32 down = 8 - (7 - static_cast<i32>(F::Format::kMantissa));
    constexpr u32 used = 0x80000000U | 0x7fU << (23 - F::Format::kMantissa);
    constexpr float bias =
        std::bit_cast<float>(static_cast<u32>(127 + 127 - F::Format::kBias) << 23U);
    const u32 number = static_cast<u32>(static_cast<i32>(word) >> down) & used;
    const float value = std::bit_cast<float>(number) * bias;
    return number == 0x80000000U ? std::bit_cast<float>(0x7fc00000U) : value;
}

/// From the bits of one element in the low bits of a word.
template <class F> float element_value(u32 bits) {
    if constexpr (std::is_same_v<F, Fp8> || std::is_same_v<F, Bf8>) {
        return small_float<F>(bits << 24U);
    } else if constexpr (std::is_same_v<F, Half>) {
        return static_cast<float>(from_bits<f16>(static_cast<u16>(bits)));
    } else if constexpr (std::is_same_v<F, Bfloat>) {
        return std::bit_cast<float>(bits << 16U);
    } else if constexpr (std::is_same_v<F, Xf32>) {
        return std::bit_cast<float>(bits & 0xffffe000U);
    } else {
        return std::bit_cast<float>(bits);
    }
}

template <class S, class F> void unpack(const Register* registers, Matrix<S, float>& to) {
    constexpr u32 per_word = 32 / F::kBits;
    constexpr u32 ones = F::kBits == 32 ? ~0U : (1U << F::kBits) - 1U;
    for (u32 j = 0; j < S::kPerLane; ++j) {
        const u32* const words = registers[j / per_word].lane;
        const u32 shift = F::kBits * (j % per_word) % 32;
        alignas(64) float values[kLanes];
        for (u32 lane = 0; lane < kLanes; ++lane)
            if constexpr (F::kBits == 8)
                values[lane] = small_float<F>(words[lane] << (24 - shift));
            else
                values[lane] = element_value<F>(words[lane] >> shift & ones);
        for (u32 group = 0; group < S::kGroups; ++group)
            std::memcpy(run_of(to, group, j), values + group * S::kSize, S::kSize * sizeof(float));
    }
}

/// Exponent of a nonzero value; those of a format's denormals are all its lowest one.
template <class F> i32 element_exponent(float value) {
    const u32 bits = std::bit_cast<u32>(value) & 0x7fffffffU;
    const i32 exponent = static_cast<i32>(bits >> 23U) - 127;
    const i32 limited = exponent < F::kLowest ? F::kLowest : exponent;
    return bits == 0 ? kZeroExponent : limited;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
