#include "isa/float_division.hpp"
#include "isa/float_math.hpp"
#include "isa/rows.hpp"
#include "isa/valu.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

constexpr std::string_view kUlp = "1 ulp, the bound of the ISA; computed in double and rounded";

/// The unit for these does not take or give denormals.
float flushed(float value) {
    return std::abs(value) < 0x1p-126F ? std::copysign(0.0F, value) : value;
}
float narrowed(double value) {
    return flushed(fixed_nan(static_cast<float>(value)));
}

/// Whole turns taken off first: pi has to be multiplied with few of them only.
double angle(float turns) {
    return 6.283185307179586476925 * std::fmod(static_cast<double>(turns), 1.0);
}

/// The unit knows 256 turns in both directions; beyond them any finite number gives what 0 gives.
bool is_far(float turns) {
    return std::abs(turns) > 256.0F && !std::isinf(turns);
}
/// Zeros are exact: a double's pi is not, and would miss them.
float sine(float turns) {
    if (is_far(turns) || std::abs(std::fmod(turns, 1.0F)) == 0.5F)
        return 0.0F;
    return fixed_nan(static_cast<float>(std::sin(angle(turns))));
}
float cosine(float turns) {
    if (std::abs(std::fmod(turns, 0.5F)) == 0.25F && !is_far(turns))
        return 0.0F;
    return is_far(turns) ? 1.0F : fixed_nan(static_cast<float>(std::cos(angle(turns))));
}

float fraction(float a) {
    const float part = a - std::floor(a);
    return part == 1.0F ? 0x1.fffffep-1F : fixed_nan(part); // rounding must not make it whole
}

i32 exponent_of(float a) {
    if (is_nan(a) || std::isinf(a) || a == 0.0F)
        return 0;
    int e = 0;
    std::frexp(a, &e);
    return e;
}

float mantissa_of(float a) {
    if (is_nan(a))
        return quieted(a);
    if (std::isinf(a))
        return a;
    int e = 0;
    return std::frexp(a, &e);
}

/// v_ldexp_f32 rounds once, as ldexpf does.
float scaled(float a, i32 e) {
    const i32 limited = e < -2000 ? -2000 : e > 2000 ? 2000 : e;
    return is_nan(a) ? quieted(a) : std::ldexp(a, limited);
}

float legacy_product(float a, float b) {
    return a == 0.0F || b == 0.0F ? 0.0F : fixed_nan(a * b);
}

/// v_fmamk_f32 d, a, K, b: the constant is the middle operand.
constexpr auto kMultiplyConstantAdd = [](float a, float k, float b) {
    return fixed_nan(std::fma(a, k, b));
};

constexpr Row kRows[] = {
    lane_row("v_add_f32", [](float a, float b) { return fixed_nan(a + b); }),
    lane_row("v_sub_f32", [](float a, float b) { return fixed_nan(a - b); }),
    lane_row("v_subrev_f32", [](float a, float b) { return fixed_nan(b - a); }),
    lane_row("v_mul_f32", [](float a, float b) { return fixed_nan(a * b); }),
    lane_row("v_mul_legacy_f32", [](float a, float b) { return legacy_product(a, b); }),
    lane_row("v_fma_f32", [](float a, float b, float c) { return fixed_nan(std::fma(a, b, c)); }),
    accumulate_row("v_fmac_f32",
                   [](float a, float b, float c) { return fixed_nan(std::fma(a, b, c)); }),
    lane_row("v_fmamk_f32", kMultiplyConstantAdd),
    lane_row("v_fmaak_f32", kMultiplyConstantAdd),
    lane_row("v_min_f32", [](float a, float b) { return minimum(a, b); }),
    lane_row("v_max_f32", [](float a, float b) { return maximum(a, b); }),
    lane_row("v_min3_f32", [](float a, float b, float c) { return minimum(minimum(a, b), c); }),
    lane_row("v_max3_f32", [](float a, float b, float c) { return maximum(maximum(a, b), c); }),
    lane_row("v_med3_f32", [](float a, float b, float c) { return median(a, b, c); }),
    lane_row("v_floor_f32", [](float a) { return std::floor(a); }),
    lane_row("v_ceil_f32", [](float a) { return std::ceil(a); }),
    lane_row("v_trunc_f32", [](float a) { return std::trunc(a); }),
    lane_row("v_rndne_f32", [](float a) { return __builtin_nearbyintf(a); }),
    lane_row("v_fract_f32", [](float a) { return fraction(a); }),
    lane_row("v_ldexp_f32", [](float a, i32 e) { return scaled(a, e); }),
    lane_row("v_frexp_mant_f32", [](float a) { return mantissa_of(a); }),
    lane_row("v_frexp_exp_i32_f32", [](float a) { return exponent_of(a); }),
    divide_scale_row<float>("v_div_scale_f32"),
    divide_fmas_row<float>("v_div_fmas_f32"),
    lane_row("v_div_fixup_f32", [](float q, float d, float n) { return division_fixup(q, d, n); }),
    approximate(lane_row("v_rcp_f32",
                         [](float a) { return narrowed(1.0 / static_cast<double>(flushed(a))); }),
                kUlp),
    approximate(lane_row("v_rcp_iflag_f32",
                         [](float a) { return narrowed(1.0 / static_cast<double>(flushed(a))); }),
                kUlp),
    approximate(lane_row("v_rsq_f32",
                         [](float a) {
                             return narrowed(1.0 / std::sqrt(static_cast<double>(flushed(a))));
                         }),
                kUlp),
    approximate(lane_row("v_sqrt_f32", [](float a) { return fixed_nan(std::sqrt(a)); }), kUlp),
    approximate(
        lane_row("v_exp_f32", [](float a) { return narrowed(std::exp2(static_cast<double>(a))); }),
        kUlp),
    approximate(
        lane_row("v_log_f32",
                 [](float a) { return narrowed(std::log2(static_cast<double>(flushed(a)))); }),
        kUlp),
    approximate(lane_row("v_sin_f32", [](float a) { return sine(a); }),
                "error up to 2^-20; computed in double"),
    approximate(lane_row("v_cos_f32", [](float a) { return cosine(a); }),
                "error up to 2^-20; computed in double"),
};

} // namespace

std::span<const Row> float_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
