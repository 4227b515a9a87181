#include "isa/float_division.hpp"
#include "isa/float_math.hpp"
#include "isa/rows.hpp"
#include "isa/valu.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

double fraction(double a) {
    const double part = a - std::floor(a);
    return part == 1.0 ? 0x1.fffffffffffffp-1 : fixed_nan(part); // rounding must not make it whole
}

i32 exponent_of(double a) {
    if (!std::isfinite(a) || a == 0.0)
        return 0;
    int e = 0;
    std::frexp(a, &e);
    return e;
}

double mantissa_of(double a) {
    if (!std::isfinite(a))
        return is_nan(a) ? quieted(a) : a;
    int e = 0;
    return std::frexp(a, &e);
}

double scaled(double a, i32 e) {
    const i32 limited = e < -5000 ? -5000 : e > 5000 ? 5000 : e;
    return is_nan(a) ? quieted(a) : std::ldexp(a, limited);
}

constexpr std::string_view kUlp = "2^29 ulp (an estimate for Newton steps); computed in double";

constexpr Row kRows[] = {
    lane_row("v_add_f64", [](double a, double b) { return fixed_nan(a + b); }),
    lane_row("v_mul_f64", [](double a, double b) { return fixed_nan(a * b); }),
    lane_row("v_fma_f64",
             [](double a, double b, double c) { return fixed_nan(std::fma(a, b, c)); }),
    accumulate_row("v_fmac_f64",
                   [](double a, double b, double c) { return fixed_nan(std::fma(a, b, c)); }),
    lane_row("v_min_f64", [](double a, double b) { return minimum(a, b); }),
    lane_row("v_max_f64", [](double a, double b) { return maximum(a, b); }),
    lane_row("v_floor_f64", [](double a) { return std::floor(a); }),
    lane_row("v_ceil_f64", [](double a) { return std::ceil(a); }),
    lane_row("v_trunc_f64", [](double a) { return std::trunc(a); }),
    lane_row("v_rndne_f64", [](double a) { return __builtin_nearbyint(a); }),
    lane_row("v_fract_f64", [](double a) { return fraction(a); }),
    lane_row("v_ldexp_f64", [](double a, i32 e) { return scaled(a, e); }),
    lane_row("v_frexp_mant_f64", [](double a) { return mantissa_of(a); }),
    lane_row("v_frexp_exp_i32_f64", [](double a) { return exponent_of(a); }),
    divide_scale_row<double>("v_div_scale_f64"),
    divide_fmas_row<double>("v_div_fmas_f64"),
    lane_row("v_div_fixup_f64",
             [](double q, double d, double n) { return division_fixup(q, d, n); }),
    approximate(lane_row("v_rcp_f64", [](double a) { return fixed_nan(1.0 / a); }), kUlp),
    approximate(lane_row("v_rsq_f64", [](double a) { return fixed_nan(1.0 / std::sqrt(a)); }),
                kUlp),
    approximate(lane_row("v_sqrt_f64", [](double a) { return fixed_nan(std::sqrt(a)); }), kUlp),
    lane_row("v_cvt_f64_i32", [](i32 a) { return static_cast<double>(a); }),
    lane_row("v_cvt_f64_u32", [](u32 a) { return static_cast<double>(a); }),
    lane_row("v_cvt_f64_f32", [](float a) { return fixed_nan(static_cast<double>(a)); }),
    lane_row("v_cvt_f32_f64", [](double a) { return fixed_nan(static_cast<float>(a)); }),
    lane_row("v_cvt_i32_f64",
             [](double a) {
                 return is_nan(a)            ? 0
                        : a <= -2147483648.0 ? i32{-2147483647 - 1}
                        : a >= 2147483647.0  ? i32{2147483647}
                                             : static_cast<i32>(a);
             }),
    lane_row("v_cvt_u32_f64",
             [](double a) {
                 return is_nan(a) || a <= 0.0 ? 0U : a >= 4294967295.0 ? ~0U : static_cast<u32>(a);
             }),
};

} // namespace

std::span<const Row> float64_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
