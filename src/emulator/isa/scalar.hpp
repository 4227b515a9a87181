#pragma once

#include "isa/lanes.hpp"

#include <tuple>

namespace kbuild::emulator {
namespace KBUILD_LANES {

/// The value of a scalar operand as T (32 or 64 bits).
template <class T> T scalar(const Wave& w, const Operand& o) {
    if constexpr (sizeof(T) == 8)
        return static_cast<T>(scalar64(w, o));
    else
        return static_cast<T>(scalar32(w, o));
}

template <class T> void set_scalar(Wave& w, const Operand& o, T value) {
    if constexpr (sizeof(T) == 8)
        w.set_scalar64(o.index, static_cast<u64>(value));
    else
        w.s[o.index] = static_cast<u32>(value);
}

template <class F> struct ScalarSignature : ScalarSignature<decltype(&F::operator())> {};
template <class F, class R, class... A> struct ScalarSignature<R (F::*)(bool&, A...) const> {
    using Result = R;
    static constexpr std::size_t kCount = sizeof...(A);
    template <std::size_t I> using Argument = std::tuple_element_t<I, std::tuple<A..., u32, u32>>;
};

/// `f(scc, a, b)`: `scc` is the old bit and becomes the new one.
template <class F, std::size_t First> void run_scalar(Wave& w, const Instruction& in) {
    using S = ScalarSignature<F>;
    using A = typename S::template Argument<0>;
    using B = typename S::template Argument<1>;
    constexpr F f{};
    bool scc = w.scc();
    if constexpr (S::kCount == 1)
        set_scalar(w, in.operand[0], f(scc, scalar<A>(w, in.operand[First])));
    else
        set_scalar(w,
                   in.operand[0],
                   f(scc, scalar<A>(w, in.operand[First]), scalar<B>(w, in.operand[First + 1])));
    w.set_scc(scc);
}

template <class T> constexpr Type scalar_type() {
    return sizeof(T) == 8 ? Type::b64 : Type::b32;
}

template <class F> constexpr Row scalar_row(std::string_view name, F) {
    using S = ScalarSignature<F>;
    Row row;
    row.name = name;
    row.run = &run_scalar<F, 1>;
    row.unit = Unit::salu;
    row.operands[0] = {Role::write, scalar_type<typename S::Result>()};
    row.operands[1] = {Role::read, scalar_type<typename S::template Argument<0>>()};
    if constexpr (S::kCount > 1)
        row.operands[2] = {Role::read, scalar_type<typename S::template Argument<1>>()};
    return row;
}

constexpr Row with_scalar_taint(Row row, Taint taint) {
    row.taint = taint;
    return row;
}

/// The first source is the destination's old value (s_addk_i32, s_bitset1_b32).
template <class F> constexpr Row scalar_update_row(std::string_view name, F) {
    using S = ScalarSignature<F>;
    Row row;
    row.name = name;
    row.run = &run_scalar<F, 0>;
    row.unit = Unit::salu;
    row.operands[0] = {Role::update, scalar_type<typename S::Result>()};
    row.operands[1] = {Role::read, scalar_type<typename S::template Argument<1>>()};
    return row;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
