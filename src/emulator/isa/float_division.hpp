#pragma once

#include "isa/float_math.hpp"
#include "isa/valu.hpp"

#include <limits>

// v_div_scale, v_div_fmas and v_div_fixup: the steps around a Newton iteration that make a
// correctly rounded division.

namespace kbuild::emulator {
namespace KBUILD_LANES {

template <class T> struct Scaled {
    T value;
    bool later; ///< v_div_fmas has to scale the quotient back
};

/// `value` is the denominator or the numerator, whichever is wanted. Where both 1 / D and N / D are
/// denormal, AMD's formula scales D up, which overflows and could not give LLVM its correctly
/// rounded quotient; here D is scaled down.
template <class T> Scaled<T> division_scale(T value, T denominator, T numerator) {
    using D = Division<T>;
    if (denominator == T(0) || numerator == T(0))
        return {std::bit_cast<T>(FloatBits<T>::kNan), false};
    const bool wants_denominator = bits_of(value) == bits_of(denominator);
    const bool inverse_denormal = is_denormal(T(1) / denominator);
    const bool quotient_denormal = is_denormal(numerator / denominator);
    if (exponent_bits(numerator) - exponent_bits(denominator) >= D::kFar)
        return {wants_denominator ? std::ldexp(value, D::kScale) : value, true};
    if (is_denormal(denominator))
        return {std::ldexp(value, D::kScale), false};
    if (inverse_denormal && quotient_denormal)
        return {wants_denominator ? std::ldexp(value, -D::kScale) : value, true};
    if (inverse_denormal)
        return {std::ldexp(value, -D::kScale), false};
    if (quotient_denormal)
        return {bits_of(value) == bits_of(numerator) ? std::ldexp(value, D::kScale) : value, true};
    if (exponent_bits(numerator) <= D::kTiny)
        return {std::ldexp(value, D::kScale), false};
    return {value, false};
}

template <class T> void divide_scale(Wave& w, const Instruction& in) {
    Values<T> buffer[3];
    const T* const value = fetch<T>(w, in, in.operand[2], buffer[0]);
    const T* const denominator = fetch<T>(w, in, in.operand[3], buffer[1]);
    const T* const numerator = fetch<T>(w, in, in.operand[4], buffer[2]);
    Values<T> result;
    u64 later = 0;
    for (u32 i = 0; i < kLanes; ++i) {
        const Scaled<T> scaled = division_scale(value[i], denominator[i], numerator[i]);
        result.lane[i] = scaled.value;
        later |= u64{scaled.later} << i;
    }
    store<T>(w, in, in.operand[0], result, active(w, in));
    w.set_scalar64(in.operand[1].index, later & w.exec());
}

/// What a * b + c has been rounded off to be `sum` (after Boldo and Muller); exact as far as its
/// sign goes.
template <class T> T rounding_error(T a, T b, T c, T sum) {
    const auto two_sum = [](T x, T y, T& rest) {
        const T total = x + y;
        const T other = total - x;
        rest = (x - (total - other)) + (y - other);
        return total;
    };
    const T product = a * b;
    const T product_rest = std::fma(a, b, -product);
    T small = 0;
    const T middle = two_sum(c, product_rest, small);
    T large_rest = 0;
    const T large = two_sum(product, middle, large_rest);
    return ((large - sum) + large_rest) + small;
}

/// ldexp(a * b + c, power) with one rounding. Only a sum that the second rounding sees in the
/// middle between two denormals could go wrong.
template <class T> T scaled_sum(T a, T b, T c, i32 power) {
    const T sum = std::fma(a, b, c);
    const T scaled = std::ldexp(sum, power);
    if (!is_denormal(scaled) && std::abs(scaled) != std::numeric_limits<T>::min())
        return scaled;
    const T off = sum - std::ldexp(scaled, -power);
    const T half = std::ldexp(std::numeric_limits<T>::denorm_min(), -power) / 2;
    const T error = rounding_error(a, b, c, sum);
    if (std::abs(off) != half || error == 0 || (error > 0) != (off > 0))
        return scaled;
    return std::nextafter(scaled, std::copysign(std::numeric_limits<T>::infinity(), off));
}

template <class T> void divide_fmas(Wave& w, const Instruction& in) {
    using D = Division<T>;
    Values<T> buffer[3];
    const T* const a = fetch<T>(w, in, in.operand[1], buffer[0]);
    const T* const b = fetch<T>(w, in, in.operand[2], buffer[1]);
    const T* const c = fetch<T>(w, in, in.operand[3], buffer[2]);
    const u64 scaled = w.vcc();
    Values<T> result;
    for (u32 i = 0; i < kLanes; ++i) {
        const i32 back = exponent_bits(c[i]) > D::kBias ? D::kScale : -D::kScale;
        const bool scale = (scaled >> i & 1) != 0;
        result.lane[i] =
            fixed_nan(scale ? scaled_sum(a[i], b[i], c[i], back) : std::fma(a[i], b[i], c[i]));
    }
    store<T>(w, in, in.operand[0], result, active(w, in));
}

template <class T> T division_fixup(T quotient, T denominator, T numerator) {
    using B = FloatBits<T>;
    using D = Division<T>;
    const T sign = std::bit_cast<T>(
        static_cast<typename B::Bits>((bits_of(denominator) ^ bits_of(numerator)) & B::kSign));
    const T infinity = std::bit_cast<T>(B::kExponent);
    const T size = std::abs(quotient);
    if (is_nan(numerator))
        return quieted(numerator);
    if (is_nan(denominator))
        return quieted(denominator);
    const bool infinite_top = std::abs(numerator) == infinity;
    const bool infinite_bottom = std::abs(denominator) == infinity;
    if ((denominator == T(0) && numerator == T(0)) || (infinite_top && infinite_bottom))
        return std::bit_cast<T>(static_cast<typename B::Bits>(B::kNan | B::kSign));
    if (denominator == T(0) || infinite_top)
        return std::copysign(infinity, sign);
    if (infinite_bottom || numerator == T(0))
        return std::copysign(T(0), sign);
    if (exponent_bits(numerator) - exponent_bits(denominator) < D::kUnderflow)
        return std::copysign(T(0), sign);
    // An infinite or impossible quotient of two numbers was too large. (AMD's formula has the
    // exponent of the denominator here, which has been looked at before.)
    if (exponent_bits(quotient) == D::kTop)
        return std::copysign(infinity, sign);
    return std::copysign(size, sign);
}

template <class T> constexpr Row divide_scale_row(std::string_view name) {
    Row row;
    row.name = name;
    row.run = &divide_scale<T>;
    row.operands[0] = {Role::write, type_of<T>()};
    row.operands[1] = {Role::write, Type::mask};
    row.operands[2] = {Role::read, type_of<T>()};
    row.operands[3] = {Role::read, type_of<T>()};
    row.operands[4] = {Role::read, type_of<T>()};
    return row;
}

template <class T> constexpr Row divide_fmas_row(std::string_view name) {
    Row row;
    row.name = name;
    row.run = &divide_fmas<T>;
    row.flags = kReadsVcc;
    row.operands[0] = {Role::write, type_of<T>()};
    row.operands[1] = {Role::read, type_of<T>()};
    row.operands[2] = {Role::read, type_of<T>()};
    row.operands[3] = {Role::read, type_of<T>()};
    return row;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
