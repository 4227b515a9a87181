#pragma once

#include "isa/mfma_layout.hpp"

// D = A * B + C in the order of K, every product fused into the sum: what fp32 MFMAs do, and all of
// them with `--mfma=fast`. With AVX2 four rows by sixteen columns of the sum stay in registers.

namespace kbuild::emulator {
namespace KBUILD_LANES {

/// Where the rows of a block of C and D are. The same place, or places that do not overlap.
template <class S> struct BlockRows {
    const float* c[S::kSize];
    float* d[S::kSize];
};

/// Row i: d[n] = c[n] + a[k] * b[k][n] for all k in order, rounded after each.
template <class S>
void add_in_order(const Matrix<S, float>& a,
                  const Matrix<S, float>& b,
                  u32 block,
                  u32 i,
                  const BlockRows<S>& rows) {
    constexpr u32 size = S::kSize;
    alignas(64) float sum[size];
    std::memcpy(sum, rows.c[i], sizeof sum);
    for (u32 k = 0; k < S::kK; ++k) {
        const float value = a.at[block][k][i];
        for (u32 n = 0; n < size; ++n)
            sum[n] = std::fma(value, b.at[block][k][n], sum[n]);
    }
    std::memcpy(rows.d[i], sum, sizeof sum);
}

#if defined(__AVX2__) && defined(__FMA__)

/// Rows i to i + 3, columns n to n + 15. All loops over rows are unrolled, or the sums would go
/// through memory.
template <class S>
void add_tile(const Matrix<S, float>& a,
              const Matrix<S, float>& b,
              u32 block,
              u32 i,
              u32 n,
              const BlockRows<S>& rows) {
    __m256 low[4];
    __m256 high[4];
#pragma GCC unroll 4
    for (u32 row = 0; row < 4; ++row) {
        low[row] = _mm256_loadu_ps(rows.c[i + row] + n);
        high[row] = _mm256_loadu_ps(rows.c[i + row] + n + 8);
    }
    for (u32 k = 0; k < S::kK; ++k) {
        const __m256 b_low = _mm256_load_ps(&b.at[block][k][n]);
        const __m256 b_high = _mm256_load_ps(&b.at[block][k][n + 8]);
#pragma GCC unroll 4
        for (u32 row = 0; row < 4; ++row) {
            const __m256 value = _mm256_broadcast_ss(&a.at[block][k][i + row]);
            low[row] = _mm256_fmadd_ps(value, b_low, low[row]);
            high[row] = _mm256_fmadd_ps(value, b_high, high[row]);
        }
    }
#pragma GCC unroll 4
    for (u32 row = 0; row < 4; ++row) {
        _mm256_storeu_ps(rows.d[i + row] + n, low[row]);
        _mm256_storeu_ps(rows.d[i + row] + n + 8, high[row]);
    }
}

template <class S>
void add_block(const Matrix<S, float>& a,
               const Matrix<S, float>& b,
               u32 block,
               const BlockRows<S>& rows) {
    if constexpr (S::kSize >= 16) {
        for (u32 i = 0; i < S::kSize; i += 4)
            for (u32 n = 0; n < S::kSize; n += 16)
                add_tile<S>(a, b, block, i, n, rows);
    } else {
        for (u32 i = 0; i < S::kSize; ++i)
            add_in_order<S>(a, b, block, i, rows);
    }
}

#else

template <class S>
void add_block(const Matrix<S, float>& a,
               const Matrix<S, float>& b,
               u32 block,
               const BlockRows<S>& rows) {
    for (u32 i = 0; i < S::kSize; ++i)
        add_in_order<S>(a, b, block, i, rows);
}

#endif

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
