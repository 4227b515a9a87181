#include "isa/float_math.hpp"
#include "isa/half_math.hpp"
#include "isa/rows.hpp"
#include "isa/valu.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

constexpr std::string_view kUlp = "0.51 ulp, the bound of the ISA; computed in float and rounded";

f16 fraction(f16 a) {
    const f16 part = half(wide(a) - std::floor(wide(a)));
    return wide(part) == 1.0F ? std::bit_cast<f16>(u16{0x3bff})
                              : part; // rounding must not make it whole
}

i16 exponent_of(f16 a) {
    if (!std::isfinite(wide(a)) || wide(a) == 0.0F)
        return 0;
    int e = 0;
    std::frexp(wide(a), &e);
    return static_cast<i16>(e);
}

f16 mantissa_of(f16 a) {
    if (!std::isfinite(wide(a)))
        return is_nan(a) ? quieted(a) : a;
    int e = 0;
    return half(std::frexp(wide(a), &e));
}

f16 division_fixup(f16 quotient, f16 denominator, f16 numerator) {
    if (is_nan(numerator))
        return quieted(numerator);
    if (is_nan(denominator))
        return quieted(denominator);
    const float top = std::abs(wide(numerator));
    const float bottom = std::abs(wide(denominator));
    const bool negative = ((bits_of(numerator) ^ bits_of(denominator)) & 0x8000U) != 0;
    const float sign = negative ? -1.0F : 1.0F;
    if ((top == 0.0F && bottom == 0.0F) || (std::isinf(top) && std::isinf(bottom)))
        return std::bit_cast<f16>(u16{0xfe00U});
    if (bottom == 0.0F || std::isinf(top))
        return half(std::copysign(HUGE_VALF, sign));
    if (std::isinf(bottom) || top == 0.0F)
        return half(std::copysign(0.0F, sign));
    return half(std::copysign(wide(quotient), sign));
}

template <class T> T saturated(float value, float low, float high) {
    if (std::isnan(value))
        return 0;
    return static_cast<T>(value < low ? low : value > high ? high : std::trunc(value));
}

constexpr Row kRows[] = {
    lane_row("v_add_f16", [](f16 a, f16 b) { return half(wide(a) + wide(b)); }),
    lane_row("v_sub_f16", [](f16 a, f16 b) { return half(wide(a) - wide(b)); }),
    lane_row("v_subrev_f16", [](f16 a, f16 b) { return half(wide(b) - wide(a)); }),
    lane_row("v_mul_f16", [](f16 a, f16 b) { return half(wide(a) * wide(b)); }),
    with_flags(lane_row("v_fma_f16", [](f16 a, f16 b, f16 c) { return fused(a, b, c); }),
               kHalfResult),
    lane_row("v_min_f16", [](f16 a, f16 b) { return minimum(a, b); }),
    lane_row("v_max_f16", [](f16 a, f16 b) { return maximum(a, b); }),
    lane_row("v_min3_f16", [](f16 a, f16 b, f16 c) { return minimum(minimum(a, b), c); }),
    lane_row("v_max3_f16", [](f16 a, f16 b, f16 c) { return maximum(maximum(a, b), c); }),
    lane_row("v_med3_f16", [](f16 a, f16 b, f16 c) { return median(a, b, c); }),
    lane_row("v_floor_f16", [](f16 a) { return half(std::floor(wide(a))); }),
    lane_row("v_ceil_f16", [](f16 a) { return half(std::ceil(wide(a))); }),
    lane_row("v_trunc_f16", [](f16 a) { return half(std::trunc(wide(a))); }),
    lane_row("v_rndne_f16", [](f16 a) { return half(__builtin_nearbyintf(wide(a))); }),
    lane_row("v_fract_f16", [](f16 a) { return fraction(a); }),
    lane_row("v_ldexp_f16",
             [](f16 a, i16 e) {
                 return fixed_nan(static_cast<f16>(std::ldexp(static_cast<double>(wide(a)), e)));
             }),
    lane_row("v_frexp_mant_f16", [](f16 a) { return mantissa_of(a); }),
    lane_row("v_frexp_exp_i16_f16", [](f16 a) { return exponent_of(a); }),
    with_flags(
        lane_row("v_div_fixup_f16", [](f16 q, f16 d, f16 n) { return division_fixup(q, d, n); }),
        kHalfResult),
    approximate(lane_row("v_rcp_f16", [](f16 a) { return half(1.0F / wide(a)); }), kUlp),
    approximate(lane_row("v_rsq_f16",
                         [](f16 a) {
                             return half(
                                 static_cast<float>(1.0 / std::sqrt(static_cast<double>(wide(a)))));
                         }),
                kUlp),
    approximate(lane_row("v_sqrt_f16", [](f16 a) { return half(std::sqrt(wide(a))); }), kUlp),
    approximate(lane_row("v_exp_f16", [](f16 a) { return half(std::exp2(wide(a))); }), kUlp),
    approximate(lane_row("v_log_f16", [](f16 a) { return half(std::log2(wide(a))); }), kUlp),
    lane_row("v_cvt_f32_f16", [](f16 a) { return fixed_nan(wide(a)); }),
    lane_row("v_cvt_f16_f32", [](float a) { return half(a); }),
    lane_row("v_cvt_f16_u16", [](u16 a) { return half(static_cast<float>(a)); }),
    lane_row("v_cvt_f16_i16", [](i16 a) { return half(static_cast<float>(a)); }),
    lane_row("v_cvt_u16_f16", [](f16 a) { return saturated<u16>(wide(a), 0.0F, 65535.0F); }),
    lane_row("v_cvt_i16_f16", [](f16 a) { return saturated<i16>(wide(a), -32768.0F, 32767.0F); }),
};

} // namespace

std::span<const Row> float16_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
