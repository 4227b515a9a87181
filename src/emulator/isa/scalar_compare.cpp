#include "isa/rows.hpp"
#include "isa/scalar.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

template <class F> struct Operands : Operands<decltype(&F::operator())> {};
template <class F, class A, class B> struct Operands<bool (F::*)(A, B) const> {
    using First = A;
    using Second = B;
};

template <class F> void run_compare(Wave& w, const Instruction& in) {
    using A = typename Operands<F>::First;
    using B = typename Operands<F>::Second;
    w.set_scc(F{}(scalar<A>(w, in.operand[0]), scalar<B>(w, in.operand[1])));
}

template <class F> constexpr Row compare_row(std::string_view name, F) {
    Row row;
    row.name = name;
    row.run = &run_compare<F>;
    row.unit = Unit::salu;
    row.operands[0] = {Role::read, scalar_type<typename Operands<F>::First>()};
    row.operands[1] = {Role::read, scalar_type<typename Operands<F>::Second>()};
    return row;
}

constexpr i32 extended(u32 constant) {
    return static_cast<i16>(constant);
}
constexpr u32 widened(u32 constant) {
    return constant & 0xffffU;
}

constexpr Row kRows[] = {
    compare_row("s_cmp_eq_i32", [](i32 a, i32 b) { return a == b; }),
    compare_row("s_cmp_lg_i32", [](i32 a, i32 b) { return a != b; }),
    compare_row("s_cmp_gt_i32", [](i32 a, i32 b) { return a > b; }),
    compare_row("s_cmp_ge_i32", [](i32 a, i32 b) { return a >= b; }),
    compare_row("s_cmp_lt_i32", [](i32 a, i32 b) { return a < b; }),
    compare_row("s_cmp_le_i32", [](i32 a, i32 b) { return a <= b; }),
    compare_row("s_cmp_eq_u32", [](u32 a, u32 b) { return a == b; }),
    compare_row("s_cmp_lg_u32", [](u32 a, u32 b) { return a != b; }),
    compare_row("s_cmp_gt_u32", [](u32 a, u32 b) { return a > b; }),
    compare_row("s_cmp_ge_u32", [](u32 a, u32 b) { return a >= b; }),
    compare_row("s_cmp_lt_u32", [](u32 a, u32 b) { return a < b; }),
    compare_row("s_cmp_le_u32", [](u32 a, u32 b) { return a <= b; }),
    compare_row("s_cmp_eq_u64", [](u64 a, u64 b) { return a == b; }),
    compare_row("s_cmp_lg_u64", [](u64 a, u64 b) { return a != b; }),
    compare_row("s_bitcmp0_b32", [](u32 a, u32 b) { return (a >> (b & 31U) & 1U) == 0; }),
    compare_row("s_bitcmp1_b32", [](u32 a, u32 b) { return (a >> (b & 31U) & 1U) != 0; }),
    compare_row("s_bitcmp0_b64", [](u64 a, u32 b) { return (a >> (b & 63U) & 1U) == 0; }),
    compare_row("s_bitcmp1_b64", [](u64 a, u32 b) { return (a >> (b & 63U) & 1U) != 0; }),
    compare_row("s_cmpk_eq_i32", [](i32 a, u32 b) { return a == extended(b); }),
    compare_row("s_cmpk_lg_i32", [](i32 a, u32 b) { return a != extended(b); }),
    compare_row("s_cmpk_gt_i32", [](i32 a, u32 b) { return a > extended(b); }),
    compare_row("s_cmpk_ge_i32", [](i32 a, u32 b) { return a >= extended(b); }),
    compare_row("s_cmpk_lt_i32", [](i32 a, u32 b) { return a < extended(b); }),
    compare_row("s_cmpk_le_i32", [](i32 a, u32 b) { return a <= extended(b); }),
    compare_row("s_cmpk_eq_u32", [](u32 a, u32 b) { return a == widened(b); }),
    compare_row("s_cmpk_lg_u32", [](u32 a, u32 b) { return a != widened(b); }),
    compare_row("s_cmpk_gt_u32", [](u32 a, u32 b) { return a > widened(b); }),
    compare_row("s_cmpk_ge_u32", [](u32 a, u32 b) { return a >= widened(b); }),
    compare_row("s_cmpk_lt_u32", [](u32 a, u32 b) { return a < widened(b); }),
    compare_row("s_cmpk_le_u32", [](u32 a, u32 b) { return a <= widened(b); }),
};

} // namespace

std::span<const Row> scalar_compare_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
