#pragma once

#include "isa/lanes.hpp"

// Vector instructions that do the same in every lane: a captureless lambda says what, these
// templates make the handler and the row of it.

namespace kbuild::emulator {
namespace KBUILD_LANES {

template <class F> struct Signature : Signature<decltype(&F::operator())> {};
template <class F, class R, class... A> struct Signature<R (F::*)(A...) const> {
    using Result = R;
    static constexpr std::size_t kCount = sizeof...(A);
    template <std::size_t I> using Argument = std::tuple_element_t<I, std::tuple<A...>>;
};

template <class F> void run_lanes(Wave& w, const Instruction& in) {
    using S = Signature<F>;
    using R = typename S::Result;
    constexpr F f{};
    Values<R> result;
    using A0 = typename S::template Argument<0>;
    Values<A0> buffer0;
    const A0* const a = fetch<A0>(w, in, in.operand[1], buffer0);
    if constexpr (S::kCount == 1) {
        for (u32 i = 0; i < kLanes; ++i)
            result.lane[i] = f(a[i]);
    } else {
        using A1 = typename S::template Argument<1>;
        Values<A1> buffer1;
        const A1* const b = fetch<A1>(w, in, in.operand[2], buffer1);
        if constexpr (S::kCount == 2) {
            for (u32 i = 0; i < kLanes; ++i)
                result.lane[i] = f(a[i], b[i]);
        } else {
            using A2 = typename S::template Argument<2>;
            Values<A2> buffer2;
            const A2* const c = fetch<A2>(w, in, in.operand[3], buffer2);
            for (u32 i = 0; i < kLanes; ++i)
                result.lane[i] = f(a[i], b[i], c[i]);
        }
    }
    store<R>(w, in, in.operand[0], result, active(w, in));
}

/// The third source is the destination's old value (v_fmac_f32, v_dot2c).
template <class F> void run_accumulate(Wave& w, const Instruction& in) {
    using S = Signature<F>;
    using R = typename S::Result;
    using A = typename S::template Argument<0>;
    constexpr F f{};
    Values<A> buffer0;
    Values<A> buffer1;
    Values<R> buffer2;
    const A* const a = fetch<A>(w, in, in.operand[1], buffer0);
    const A* const b = fetch<A>(w, in, in.operand[2], buffer1);
    Operand old = in.operand[0];
    old.sdwa = 6;
    const R* const c = fetch<R>(w, in, old, buffer2);
    Values<R> result;
    for (u32 i = 0; i < kLanes; ++i)
        result.lane[i] = f(a[i], b[i], c[i]);
    store<R>(w, in, in.operand[0], result, active(w, in));
}

/// A comparison: one bit per lane, 0 where EXEC is off.
template <class F, bool WritesExec> void run_compare(Wave& w, const Instruction& in) {
    using S = Signature<F>;
    using A = typename S::template Argument<0>;
    using B = typename S::template Argument<1>;
    constexpr F f{};
    Values<A> buffer0;
    Values<B> buffer1;
    const A* const a = fetch<A>(w, in, in.operand[1], buffer0);
    const B* const b = fetch<B>(w, in, in.operand[2], buffer1);
    LaneMask holds;
    for (u32 i = 0; i < kLanes; ++i)
        holds.lane[i] = f(a[i], b[i]) ? ~0U : 0U;
    const u64 bits = gather_bits(holds.lane) & w.exec();
    w.set_scalar64(in.operand[0].index, bits);
    if constexpr (WritesExec)
        w.set_scalar64(kExec, bits);
}

template <class F> constexpr Row lane_row(std::string_view name, F) {
    using S = Signature<F>;
    Row row;
    row.name = name;
    row.run = &run_lanes<F>;
    row.operands[0] = {Role::write, type_of<typename S::Result>()};
    row.operands[1] = {Role::read, type_of<typename S::template Argument<0>>()};
    if constexpr (S::kCount > 1)
        row.operands[2] = {Role::read, type_of<typename S::template Argument<1>>()};
    if constexpr (S::kCount > 2)
        row.operands[3] = {Role::read, type_of<typename S::template Argument<2>>()};
    return row;
}

template <class F> constexpr Row accumulate_row(std::string_view name, F) {
    using S = Signature<F>;
    Row row;
    row.name = name;
    row.run = &run_accumulate<F>;
    row.operands[0] = {Role::update, type_of<typename S::Result>()};
    row.operands[1] = {Role::read, type_of<typename S::template Argument<0>>()};
    row.operands[2] = {Role::read, type_of<typename S::template Argument<1>>()};
    return row;
}

template <class F> constexpr Row compare_row(std::string_view name, F) {
    using S = Signature<F>;
    Row row;
    row.name = name;
    row.run = &run_compare<F, false>;
    row.flags = kCompare;
    row.operands[0] = {Role::write, Type::mask};
    row.operands[1] = {Role::read, type_of<typename S::template Argument<0>>()};
    row.operands[2] = {Role::read, type_of<typename S::template Argument<1>>()};
    return row;
}

constexpr Row with_taint(Row row, Taint taint) {
    row.taint = taint;
    return row;
}
/// Undefined bits go through it as the data does; bit i of `data` is operand i.
constexpr Row moving(Row row, u8 data) {
    row.taint = Taint::same;
    row.data = data;
    return row;
}
constexpr Row with_flags(Row row, u16 flags) {
    row.flags = static_cast<u16>(row.flags | flags);
    return row;
}
constexpr Row with_unit(Row row, Unit unit) {
    row.unit = unit;
    return row;
}
/// Something about it is not known; `oracle` says what the test takes it to be.
constexpr Row with_oracle(Row row, std::string_view oracle) {
    row.fidelity = Fidelity::approximate;
    row.oracle = oracle;
    return row;
}
/// Not correctly rounded by the hardware; `oracle` says what bound the ISA gives.
constexpr Row approximate(Row row, std::string_view oracle) {
    row = with_oracle(row, oracle);
    row.unit = Unit::trans;
    return row;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
