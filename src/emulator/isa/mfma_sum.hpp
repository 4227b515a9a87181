#pragma once

#include "isa/mfma_formats.hpp"

// One row of D for `Step` elements of K, as the matrix unit adds them:
//   1. products are cut (toward zero) 24 bits below the largest product's exponent, and added;
//      with 8-bit formats the even and the odd elements make a sum each, which are aligned and cut
//      downward at the same place;
//   2. this sum and C are aligned to the larger of their exponents; the sum keeps 32 bits below it,
//      C 24, both cut downward; with 8-bit formats a C that is 2^25 times smaller vanishes;
//   3. the total is cut downward to 32 bits and rounded to nearest even.

namespace kbuild::emulator {
namespace KBUILD_LANES {

inline float power_float(i32 e) {
    return std::bit_cast<float>(static_cast<u32>(e + 127) << 23U);
}
inline double power_double(i32 e) {
    return std::bit_cast<double>(static_cast<u64>(i64{e} + 1023) << 52U);
}

/// Products of bf16 need double's range, those of the others are exact floats.
template <class F>
using ProductType =
    std::conditional_t<std::is_same_v<F, Bfloat> || std::is_same_v<F, Xf32>, double, float>;

/// A row of A and the rows of B from the first element of K on. Passed by value: what is stored
/// cannot change it then, and its pointers stay in registers.
template <u32 N> struct Factors {
    const float* a;
    const i32* a_exponent;
    std::size_t a_pitch; ///< from one element of A's row to the next
    const float (*b)[N];
    const i32 (*b_exponent)[N];
};

/// The elements first, first + stride, ...
struct Elements {
    u32 first;
    u32 count;
    u32 stride;
};

template <u32 N> struct PartialSum {
    alignas(64) i32 exponent[N]; ///< of the largest product, kNoExponent if all are 0
    alignas(64) i32 digits[N];   ///< in units of 2^(exponent - 24)
};

/// Step 1.
template <class F, u32 N>
// Sums with a NaN or an infinity among their products are decided elsewhere and these digits thrown
// away, so what the processor makes of a NaN as an integer (0x80000000) does no harm; a test per
// product would cost more than the sum.
__attribute__((no_sanitize("float-cast-overflow"), no_sanitize("signed-integer-overflow"))) void
sum_products(Factors<N> factors, Elements elements, PartialSum<N>& sum) {
    using P = ProductType<F>;
    for (u32 n = 0; n < N; ++n) {
        sum.exponent[n] = kNoExponent;
        sum.digits[n] = 0;
    }
    for (u32 i = 0; i < elements.count; ++i) {
        const u32 k = elements.first + i * elements.stride;
        const i32 e = factors.a_exponent[k * factors.a_pitch];
        for (u32 n = 0; n < N; ++n) {
            const i32 product = e + factors.b_exponent[k][n];
            sum.exponent[n] = product > sum.exponent[n] ? product : sum.exponent[n];
        }
    }
    alignas(64) P scale[N];
    for (u32 n = 0; n < N; ++n) {
        const i32 up = sum.exponent[n] == kNoExponent ? 0 : 24 - sum.exponent[n];
        if constexpr (std::is_same_v<P, float>)
            scale[n] = power_float(up);
        else
            scale[n] = power_double(up);
    }
    for (u32 i = 0; i < elements.count; ++i) {
        const u32 k = elements.first + i * elements.stride;
        const P value = static_cast<P>(factors.a[k * factors.a_pitch]);
        for (u32 n = 0; n < N; ++n)
            sum.digits[n] += static_cast<i32>(value * static_cast<P>(factors.b[k][n]) * scale[n]);
    }
}

/// Steps 2 and 3: `digits` in units of 2^(exponent - 24), and C. Inlined, so that rows go in
/// vectors.
template <bool SmallCVanishes>
__attribute__((always_inline)) inline float add_c(double digits, i32 exponent, float c) {
    const u32 field = std::bit_cast<u32>(c) >> 23U & 0xffU;
    const i32 c_exponent = static_cast<i32>(field == 0 ? 1U : field) - 127;
    const i32 top = exponent > c_exponent ? exponent : c_exponent;
    const double dot = std::floor(digits * power_double(exponent - top + 8));
    const double cut = std::floor(static_cast<double>(c) * power_double(24 - top));
    const double own = SmallCVanishes && c_exponent < top - 25 ? 0.0 : cut;
    const double sum = dot + own * 256.0; // units of 2^(top - 32)
    const i32 sum_exponent = static_cast<i32>(std::bit_cast<u64>(sum) >> 52U & 0x7ffU) - 1023;
    const i32 normal = sum_exponent - 31;
    const i32 denormal = -125 - top;
    const i32 larger = normal > denormal ? normal : denormal;
    const i32 quantum = larger > 0 ? larger : 0;
    const double kept = std::floor(sum * power_double(-quantum)) * power_double(quantum);
    return static_cast<float>(kept * power_double(top - 32));
}

template <class F, u32 N> void add_step(Factors<N> factors, u32 count, float* row) {
    if constexpr (F::kBits == 8) {
        PartialSum<N> even;
        PartialSum<N> odd;
        sum_products<F, N>(factors, {0, count / 2, 2}, even);
        sum_products<F, N>(factors, {1, count / 2, 2}, odd);
        for (u32 n = 0; n < N; ++n) {
            const i32 top = even.exponent[n] > odd.exponent[n] ? even.exponent[n] : odd.exponent[n];
            const double digits =
                std::floor(even.digits[n] * power_double(even.exponent[n] - top)) +
                std::floor(odd.digits[n] * power_double(odd.exponent[n] - top));
            row[n] = add_c<true>(digits, top, row[n]);
        }
    } else {
        PartialSum<N> sum;
        sum_products<F, N>(factors, {0, count, 1}, sum);
        for (u32 n = 0; n < N; ++n)
            row[n] = add_c<false>(sum.digits[n], sum.exponent[n], row[n]);
    }
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
