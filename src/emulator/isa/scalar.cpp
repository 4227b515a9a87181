#include "isa/scalar.hpp"

#include "isa/rows.hpp"

#include <algorithm>

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

template <class T> T nonzero(bool& scc, T value) {
    scc = value != 0;
    return value;
}

template <class T> T field(T value, u32 spec) {
    constexpr u32 bits = 8 * sizeof(T);
    const u32 offset = spec & (bits - 1);
    const u32 width = spec >> 16U & 0x7fU;
    if (width == 0)
        return 0;
    const u32 kept = std::min(width, bits - offset);
    using Unsigned = std::make_unsigned_t<T>;
    const u32 left = bits - kept - offset;
    return static_cast<T>(static_cast<T>(static_cast<Unsigned>(value) << left) >> (bits - kept));
}

template <u32 Shift> struct ShiftedAdd {
    u32 operator()(bool& carry, u32 a, u32 b) const {
        const u64 sum = (u64{a} << Shift) + b;
        carry = sum >> 32U != 0;
        return static_cast<u32>(sum);
    }
};

/// Number of leading bits that equal the sign bit, -1 if all of them do.
template <class T> u32 sign_bits(T value) {
    using Unsigned = std::make_unsigned_t<T>;
    const auto flipped = static_cast<Unsigned>(value < 0 ? ~value : value);
    return flipped == 0 ? ~0U : static_cast<u32>(std::countl_zero(flipped));
}

u32 reversed(u32 value) {
    u32 out = 0;
    for (u32 i = 0; i < 32; ++i)
        out |= (value >> i & 1U) << (31 - i);
    return out;
}

u64 whole_quads(u64 value) {
    u64 any = value | value >> 1U;
    any |= any >> 2U;
    return (any & 0x1111111111111111U) * 0xfU;
}

u64 quad_mask(u64 value) {
    u64 out = 0;
    for (u32 i = 0; i < 16; ++i)
        out |= u64{(value >> (4 * i) & 0xfU) != 0} << i;
    return out;
}

u64 doubled_bits(u32 value) {
    u64 out = 0;
    for (u32 i = 0; i < 32; ++i)
        out |= u64{value >> i & 1U} * 3U << (2 * i);
    return out;
}

template <class F> void save_exec(Wave& w, const Instruction& in) {
    const u64 source = scalar64(w, in.operand[1]);
    const u64 exec = w.exec();
    w.set_scalar64(in.operand[0].index, exec);
    const u64 value = F{}(source, exec);
    w.set_scalar64(kExec, value);
    w.set_scc(value != 0);
}

template <class F> constexpr Row save_exec_row(std::string_view name, F) {
    Row row;
    row.name = name;
    row.run = &save_exec<F>;
    row.unit = Unit::salu;
    row.flags = kWritesExec;
    row.operands[0] = {Role::write, Type::b64};
    row.operands[1] = {Role::read, Type::b64};
    return row;
}

/// s_andn2_wrexec_b64: the destination gets the new mask.
template <class F> void write_exec(Wave& w, const Instruction& in) {
    const u64 value = F{}(scalar64(w, in.operand[1]), w.exec());
    w.set_scalar64(in.operand[0].index, value);
    w.set_scalar64(kExec, value);
    w.set_scc(value != 0);
}

template <class F> constexpr Row write_exec_row(std::string_view name, F f) {
    Row row = save_exec_row(name, f);
    row.run = &write_exec<F>;
    return row;
}

/// The destination stays as it is unless SCC is set.
template <class T> void conditional_move(Wave& w, const Instruction& in) {
    if (w.scc())
        set_scalar(w, in.operand[0], scalar<T>(w, in.operand[1]));
}

void conditional_move_constant(Wave& w, const Instruction& in) {
    if (w.scc())
        w.s[in.operand[0].index] = static_cast<u32>(static_cast<i16>(scalar32(w, in.operand[1])));
}

template <class T> void move_from_relative(Wave& w, const Instruction& in) {
    Operand from = in.operand[1];
    from.index = static_cast<u16>(from.index + w.s[kM0]);
    set_scalar(w, in.operand[0], scalar<T>(w, from));
}

template <class T> void move_to_relative(Wave& w, const Instruction& in) {
    Operand to = in.operand[0];
    to.index = static_cast<u16>(to.index + w.s[kM0]);
    set_scalar(w, to, scalar<T>(w, in.operand[1]));
}

template <class T>
constexpr Row special_row(std::string_view name, Handler run, Role first = Role::write) {
    Row row;
    row.name = name;
    row.run = run;
    row.unit = Unit::salu;
    row.operands[0] = {first, scalar_type<T>()};
    row.operands[1] = {Role::read, scalar_type<T>()};
    return row;
}

constexpr Row kRows[] = {
    scalar_row("s_add_u32",
               [](bool& c, u32 a, u32 b) {
                   const u64 r = u64{a} + b;
                   c = r >> 32U != 0;
                   return static_cast<u32>(r);
               }),
    scalar_row("s_sub_u32",
               [](bool& c, u32 a, u32 b) {
                   c = b > a;
                   return a - b;
               }),
    scalar_row("s_add_i32",
               [](bool& c, i32 a, i32 b) {
                   i32 r = 0;
                   c = __builtin_add_overflow(a, b, &r);
                   return r;
               }),
    scalar_row("s_sub_i32",
               [](bool& c, i32 a, i32 b) {
                   i32 r = 0;
                   c = __builtin_sub_overflow(a, b, &r);
                   return r;
               }),
    scalar_row("s_addc_u32",
               [](bool& c, u32 a, u32 b) {
                   const u64 r = u64{a} + b + (c ? 1 : 0);
                   c = r >> 32U != 0;
                   return static_cast<u32>(r);
               }),
    scalar_row("s_subb_u32",
               [](bool& c, u32 a, u32 b) {
                   const u64 r = u64{a} - b - (c ? 1 : 0);
                   c = r >> 63U != 0;
                   return static_cast<u32>(r);
               }),
    scalar_row("s_min_i32",
               [](bool& c, i32 a, i32 b) {
                   c = a < b;
                   return std::min(a, b);
               }),
    scalar_row("s_min_u32",
               [](bool& c, u32 a, u32 b) {
                   c = a < b;
                   return std::min(a, b);
               }),
    scalar_row("s_max_i32",
               [](bool& c, i32 a, i32 b) {
                   c = a >= b;
                   return std::max(a, b);
               }),
    scalar_row("s_max_u32",
               [](bool& c, u32 a, u32 b) {
                   c = a >= b;
                   return std::max(a, b);
               }),
    with_scalar_taint(scalar_row("s_cselect_b32", [](bool& c, u32 a, u32 b) { return c ? a : b; }),
                      Taint::merge),
    with_scalar_taint(scalar_row("s_cselect_b64", [](bool& c, u64 a, u64 b) { return c ? a : b; }),
                      Taint::merge),
    with_scalar_taint(
        scalar_row("s_and_b32", [](bool& c, u32 a, u32 b) { return nonzero(c, a & b); }),
        Taint::bits_and),
    with_scalar_taint(
        scalar_row("s_and_b64", [](bool& c, u64 a, u64 b) { return nonzero(c, a & b); }),
        Taint::bits_and),
    with_scalar_taint(
        scalar_row("s_or_b32", [](bool& c, u32 a, u32 b) { return nonzero(c, a | b); }),
        Taint::bits_or),
    with_scalar_taint(
        scalar_row("s_or_b64", [](bool& c, u64 a, u64 b) { return nonzero(c, a | b); }),
        Taint::bits_or),
    with_scalar_taint(
        scalar_row("s_xor_b32", [](bool& c, u32 a, u32 b) { return nonzero(c, a ^ b); }),
        Taint::merge),
    with_scalar_taint(
        scalar_row("s_xor_b64", [](bool& c, u64 a, u64 b) { return nonzero(c, a ^ b); }),
        Taint::merge),
    with_scalar_taint(
        scalar_row("s_andn2_b32", [](bool& c, u32 a, u32 b) { return nonzero(c, a & ~b); }),
        Taint::merge),
    with_scalar_taint(
        scalar_row("s_andn2_b64", [](bool& c, u64 a, u64 b) { return nonzero(c, a & ~b); }),
        Taint::merge),
    with_scalar_taint(
        scalar_row("s_orn2_b32", [](bool& c, u32 a, u32 b) { return nonzero(c, a | ~b); }),
        Taint::merge),
    with_scalar_taint(
        scalar_row("s_orn2_b64", [](bool& c, u64 a, u64 b) { return nonzero(c, a | ~b); }),
        Taint::merge),
    with_scalar_taint(
        scalar_row("s_nand_b32", [](bool& c, u32 a, u32 b) { return nonzero(c, ~(a & b)); }),
        Taint::bits_and),
    with_scalar_taint(
        scalar_row("s_nand_b64", [](bool& c, u64 a, u64 b) { return nonzero(c, ~(a & b)); }),
        Taint::bits_and),
    with_scalar_taint(
        scalar_row("s_nor_b32", [](bool& c, u32 a, u32 b) { return nonzero(c, ~(a | b)); }),
        Taint::bits_or),
    with_scalar_taint(
        scalar_row("s_nor_b64", [](bool& c, u64 a, u64 b) { return nonzero(c, ~(a | b)); }),
        Taint::bits_or),
    with_scalar_taint(
        scalar_row("s_xnor_b32", [](bool& c, u32 a, u32 b) { return nonzero(c, ~(a ^ b)); }),
        Taint::merge),
    with_scalar_taint(
        scalar_row("s_xnor_b64", [](bool& c, u64 a, u64 b) { return nonzero(c, ~(a ^ b)); }),
        Taint::merge),
    scalar_row("s_lshl_b32", [](bool& c, u32 a, u32 b) { return nonzero(c, a << (b & 31U)); }),
    scalar_row("s_lshl_b64", [](bool& c, u64 a, u32 b) { return nonzero(c, a << (b & 63U)); }),
    scalar_row("s_lshr_b32", [](bool& c, u32 a, u32 b) { return nonzero(c, a >> (b & 31U)); }),
    scalar_row("s_lshr_b64", [](bool& c, u64 a, u32 b) { return nonzero(c, a >> (b & 63U)); }),
    scalar_row("s_ashr_i32", [](bool& c, i32 a, u32 b) { return nonzero(c, a >> (b & 31U)); }),
    scalar_row("s_ashr_i64", [](bool& c, i64 a, u32 b) { return nonzero(c, a >> (b & 63U)); }),
    scalar_row("s_bfm_b32",
               [](bool&, u32 a, u32 b) { return ((1U << (a & 31U)) - 1U) << (b & 31U); }),
    scalar_row("s_bfm_b64",
               [](bool&, u32 a, u32 b) { return ((u64{1} << (a & 63U)) - 1U) << (b & 63U); }),
    scalar_row("s_mul_i32", [](bool&, u32 a, u32 b) { return a * b; }),
    scalar_row("s_mul_hi_u32",
               [](bool&, u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32U); }),
    scalar_row(
        "s_mul_hi_i32",
        [](bool&, i32 a, i32 b) { return static_cast<u32>(static_cast<u64>(i64{a} * b) >> 32U); }),
    scalar_row("s_bfe_u32", [](bool& c, u32 a, u32 b) { return nonzero(c, field(a, b)); }),
    scalar_row("s_bfe_i32", [](bool& c, i32 a, u32 b) { return nonzero(c, field(a, b)); }),
    scalar_row("s_bfe_u64", [](bool& c, u64 a, u32 b) { return nonzero(c, field(a, b)); }),
    scalar_row("s_bfe_i64", [](bool& c, i64 a, u32 b) { return nonzero(c, field(a, b)); }),
    scalar_row("s_absdiff_i32",
               [](bool& c, u32 a, u32 b) {
                   const u32 d = a - b;
                   return nonzero(c, static_cast<i32>(d) < 0 ? 0U - d : d);
               }),
    scalar_row("s_lshl1_add_u32", ShiftedAdd<1>{}),
    scalar_row("s_lshl2_add_u32", ShiftedAdd<2>{}),
    scalar_row("s_lshl3_add_u32", ShiftedAdd<3>{}),
    scalar_row("s_lshl4_add_u32", ShiftedAdd<4>{}),
    scalar_row("s_pack_ll_b32_b16", [](bool&, u32 a, u32 b) { return (a & 0xffffU) | b << 16U; }),
    scalar_row("s_pack_lh_b32_b16",
               [](bool&, u32 a, u32 b) { return (a & 0xffffU) | (b & 0xffff0000U); }),
    scalar_row("s_pack_hh_b32_b16",
               [](bool&, u32 a, u32 b) { return a >> 16U | (b & 0xffff0000U); }),

    with_scalar_taint(scalar_row("s_mov_b32", [](bool&, u32 a) { return a; }), Taint::merge),
    with_scalar_taint(scalar_row("s_mov_b64", [](bool&, u64 a) { return a; }), Taint::merge),
    scalar_row("s_movk_i32", [](bool&, u32 a) { return static_cast<u32>(static_cast<i16>(a)); }),
    with_scalar_taint(scalar_row("s_not_b32", [](bool& c, u32 a) { return nonzero(c, ~a); }),
                      Taint::merge),
    with_scalar_taint(scalar_row("s_not_b64", [](bool& c, u64 a) { return nonzero(c, ~a); }),
                      Taint::merge),
    scalar_row("s_wqm_b64", [](bool& c, u64 a) { return nonzero(c, whole_quads(a)); }),
    scalar_row("s_quadmask_b64", [](bool& c, u64 a) { return nonzero(c, quad_mask(a)); }),
    scalar_row("s_brev_b32", [](bool&, u32 a) { return reversed(a); }),
    scalar_row("s_brev_b64",
               [](bool&, u64 a) {
                   return u64{reversed(static_cast<u32>(a))} << 32U |
                          reversed(static_cast<u32>(a >> 32U));
               }),
    scalar_row("s_bcnt0_i32_b32",
               [](bool& c, u32 a) { return nonzero(c, static_cast<u32>(std::popcount(~a))); }),
    scalar_row("s_bcnt0_i32_b64",
               [](bool& c, u64 a) { return nonzero(c, static_cast<u32>(std::popcount(~a))); }),
    scalar_row("s_bcnt1_i32_b32",
               [](bool& c, u32 a) { return nonzero(c, static_cast<u32>(std::popcount(a))); }),
    scalar_row("s_bcnt1_i32_b64",
               [](bool& c, u64 a) { return nonzero(c, static_cast<u32>(std::popcount(a))); }),
    scalar_row("s_ff0_i32_b32",
               [](bool&, u32 a) { return ~a == 0 ? ~0U : static_cast<u32>(std::countr_one(a)); }),
    scalar_row("s_ff0_i32_b64",
               [](bool&, u64 a) { return ~a == 0 ? ~0U : static_cast<u32>(std::countr_one(a)); }),
    scalar_row("s_ff1_i32_b32",
               [](bool&, u32 a) { return a == 0 ? ~0U : static_cast<u32>(std::countr_zero(a)); }),
    scalar_row("s_ff1_i32_b64",
               [](bool&, u64 a) { return a == 0 ? ~0U : static_cast<u32>(std::countr_zero(a)); }),
    scalar_row("s_flbit_i32_b32",
               [](bool&, u32 a) { return a == 0 ? ~0U : static_cast<u32>(std::countl_zero(a)); }),
    scalar_row("s_flbit_i32_b64",
               [](bool&, u64 a) { return a == 0 ? ~0U : static_cast<u32>(std::countl_zero(a)); }),
    scalar_row("s_flbit_i32", [](bool&, i32 a) { return sign_bits(a); }),
    scalar_row("s_flbit_i32_i64", [](bool&, i64 a) { return sign_bits(a); }),
    scalar_row("s_sext_i32_i8", [](bool&, u32 a) { return static_cast<u32>(static_cast<i8>(a)); }),
    scalar_row("s_sext_i32_i16",
               [](bool&, u32 a) { return static_cast<u32>(static_cast<i16>(a)); }),
    scalar_row("s_abs_i32",
               [](bool& c, u32 a) { return nonzero(c, static_cast<i32>(a) < 0 ? 0U - a : a); }),
    scalar_row("s_bitreplicate_b64_b32", [](bool&, u32 a) { return doubled_bits(a); }),

    scalar_update_row("s_addk_i32",
                      [](bool& c, i32 a, u32 b) {
                          i32 r = 0;
                          c = __builtin_add_overflow(a, i32{static_cast<i16>(b)}, &r);
                          return r;
                      }),
    scalar_update_row(
        "s_mulk_i32",
        [](bool&, u32 a, u32 b) { return a * static_cast<u32>(static_cast<i16>(b)); }),
    scalar_update_row("s_bitset0_b32", [](bool&, u32 a, u32 b) { return a & ~(1U << (b & 31U)); }),
    scalar_update_row("s_bitset0_b64",
                      [](bool&, u64 a, u32 b) { return a & ~(u64{1} << (b & 63U)); }),
    scalar_update_row("s_bitset1_b32", [](bool&, u32 a, u32 b) { return a | 1U << (b & 31U); }),
    scalar_update_row("s_bitset1_b64", [](bool&, u64 a, u32 b) { return a | u64{1} << (b & 63U); }),

    special_row<u32>("s_cmov_b32", &conditional_move<u32>, Role::update),
    special_row<u64>("s_cmov_b64", &conditional_move<u64>, Role::update),
    special_row<u32>("s_cmovk_i32", &conditional_move_constant, Role::update),
    special_row<u32>("s_movrels_b32", &move_from_relative<u32>),
    special_row<u64>("s_movrels_b64", &move_from_relative<u64>),
    special_row<u32>("s_movreld_b32", &move_to_relative<u32>),
    special_row<u64>("s_movreld_b64", &move_to_relative<u64>),

    save_exec_row("s_and_saveexec_b64", [](u64 a, u64 e) { return a & e; }),
    save_exec_row("s_or_saveexec_b64", [](u64 a, u64 e) { return a | e; }),
    save_exec_row("s_xor_saveexec_b64", [](u64 a, u64 e) { return a ^ e; }),
    save_exec_row("s_andn2_saveexec_b64", [](u64 a, u64 e) { return a & ~e; }),
    save_exec_row("s_orn2_saveexec_b64", [](u64 a, u64 e) { return a | ~e; }),
    save_exec_row("s_nand_saveexec_b64", [](u64 a, u64 e) { return ~(a & e); }),
    save_exec_row("s_nor_saveexec_b64", [](u64 a, u64 e) { return ~(a | e); }),
    save_exec_row("s_xnor_saveexec_b64", [](u64 a, u64 e) { return ~(a ^ e); }),
    save_exec_row("s_andn1_saveexec_b64", [](u64 a, u64 e) { return ~a & e; }),
    save_exec_row("s_orn1_saveexec_b64", [](u64 a, u64 e) { return ~a | e; }),
    write_exec_row("s_andn1_wrexec_b64", [](u64 a, u64 e) { return ~a & e; }),
    write_exec_row("s_andn2_wrexec_b64", [](u64 a, u64 e) { return a & ~e; }),
};

} // namespace

std::span<const Row> scalar_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
