#pragma once

#include "isa/float_math.hpp"
#include "isa/valu.hpp"

// v_div_scale, v_div_fmas and v_div_fixup: the steps around a Newton iteration that make a
// correctly rounded division.

namespace kbuild::emulator {
namespace KBUILD_LANES {

template <class T> struct Scaled {
    T value;
    bool later; ///< v_div_fmas has to scale the quotient back
};

/// `value` is the denominator or the numerator, whichever is wanted.
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
        return {wants_denominator ? std::ldexp(value, D::kScale) : value, true};
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

template <class T> void divide_fmas(Wave& w, const Instruction& in) {
    using D = Division<T>;
    Values<T> buffer[3];
    const T* const a = fetch<T>(w, in, in.operand[1], buffer[0]);
    const T* const b = fetch<T>(w, in, in.operand[2], buffer[1]);
    const T* const c = fetch<T>(w, in, in.operand[3], buffer[2]);
    const u64 scaled = w.vcc();
    Values<T> result;
    for (u32 i = 0; i < kLanes; ++i) {
        const T value = fixed_nan(std::fma(a[i], b[i], c[i]));
        const i32 back = exponent_bits(c[i]) > D::kBias ? D::kScale : -D::kScale;
        result.lane[i] = (scaled >> i & 1) != 0 ? std::ldexp(value, back) : value;
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
