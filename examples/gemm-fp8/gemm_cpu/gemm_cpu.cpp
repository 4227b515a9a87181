#include "gemm_cpu.h"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace gemm_fp8 {
namespace {

// e4m3fnuz: 1 sign bit, 4 bits of exponent (bias 8), 3 bits of mantissa; 0x80 is the only NaN and
// there is neither an infinity nor a negative zero. The largest value is 240.
constexpr float decode_e4m3fnuz(std::uint8_t code) {
    if (code == 0x80) {
        return std::numeric_limits<float>::quiet_NaN();
    }
    const std::uint32_t sign = code >> 7;
    const std::uint32_t exponent = code >> 3 & 15;
    const std::uint32_t mantissa = code & 7;
    if (exponent == 0) {
        const float subnormal = static_cast<float>(mantissa) / 1024;
        return sign != 0 ? -subnormal : subnormal;
    }
    return std::bit_cast<float>(sign << 31 | (exponent - 8 + 127) << 23 | mantissa << 20);
}

constexpr std::array<float, 256> make_decode_table() {
    std::array<float, 256> table{};
    for (unsigned code = 0; code < table.size(); ++code) {
        table[code] = decode_e4m3fnuz(static_cast<std::uint8_t>(code));
    }
    return table;
}

constexpr std::array<float, 256> decode_table = make_decode_table();
static_assert(decode_table[0x7f] == 240 && decode_table[0xc0] == -1 &&
              decode_table[0x01] == 1.0f / 1024);

float element(const void* operand, Strides stride, std::int64_t row, std::int64_t k) {
    const auto* const bytes = static_cast<const std::uint8_t*>(operand);
    return decode_table[bytes[row * stride.row + k * stride.k]];
}

double scale(const float* scales, Strides stride, std::int64_t row, std::int64_t block) {
    return scales[row * stride.row + block * stride.k];
}

// To nearest, ties to even, straight from float64: by way of float32 it would round twice.
std::uint16_t round_to_bf16(double value) {
    if (value != value) {
        return 0x7fc0;
    }
    // Rounding to odd keeps in the last bit of the float32 that something was lost.
    const auto nearest = static_cast<float>(value);
    std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
    const double error = value - static_cast<double>(nearest);
    const bool finite = (bits & 0x7f800000) != 0x7f800000;
    if (finite && error != 0) {
        const bool too_large = (error < 0) != (value < 0);
        bits = (too_large ? bits - 1 : bits) | 1;
    }
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace

void gemm_cpu(const GemmProblem& p) {
    std::vector<double> total(static_cast<std::size_t>(p.m * p.n));
    std::vector<double> partial(static_cast<std::size_t>(p.n));
    // One scale block of B, [k][n], so that the innermost loop runs over contiguous memory.
    std::vector<double> b(static_cast<std::size_t>(kScaleBlock * p.n));

    for (std::int64_t block = 0; block < p.k / kScaleBlock; ++block) {
        const std::int64_t first_k = block * kScaleBlock;
        for (std::int64_t n = 0; n < p.n; ++n) {
            for (std::int64_t k = 0; k < kScaleBlock; ++k) {
                b[k * p.n + n] = element(p.b, p.b_stride, n, first_k + k);
            }
        }
        for (std::int64_t m = 0; m < p.m; ++m) {
            partial.assign(partial.size(), 0.0);
            for (std::int64_t k = 0; k < kScaleBlock; ++k) {
                const double a = element(p.a, p.a_stride, m, first_k + k);
                const double* const b_line = &b[k * p.n];
                for (std::int64_t n = 0; n < p.n; ++n) {
                    partial[n] += a * b_line[n];  // exact: few enough bits, few enough terms
                }
            }
            const double a_scale = scale(p.a_scale, p.a_scale_stride, m, block);
            for (std::int64_t n = 0; n < p.n; ++n) {
                total[m * p.n + n] += partial[n] * a_scale *
                                      scale(p.b_scale, p.b_scale_stride, n / kScaleBlock, block);
            }
        }
    }

    auto* const out = static_cast<std::uint16_t*>(p.out);
    for (std::size_t i = 0; i < total.size(); ++i) {
        out[i] = round_to_bf16(total[i]);
    }
}

}  // namespace gemm_fp8
