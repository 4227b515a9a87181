#include "isa/float_math.hpp"
#include "isa/rows.hpp"
#include "isa/valu.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

/// Bits of v_cmp_class: what kind of number each of them asks for.
template <class T> u32 class_of(T value) {
    using B = FloatBits<T>;
    const bool negative = (bits_of(value) & B::kSign) != 0;
    if (is_nan(value))
        return is_signaling(value) ? 1U : 2U;
    const auto size = static_cast<typename B::Bits>(bits_of(value) & ~B::kSign);
    if (size == B::kExponent)
        return negative ? 4U : 0x200U;
    if (size == 0)
        return negative ? 0x20U : 0x40U;
    if ((size & B::kExponent) == 0)
        return negative ? 0x10U : 0x80U;
    return negative ? 8U : 0x100U;
}

template <class T>
constexpr auto kClass = [](T a, u32 wanted) { return (class_of(a) & wanted) != 0; };

template <class F> constexpr Row exec_row(std::string_view name, F f) {
    Row row = compare_row(name, f);
    row.run = &run_compare<F, true>;
    row.flags = kCompare | kWritesExec;
    return row;
}

/// v_cmp_class_f16 takes its mask from a 16-bit operand.
constexpr auto kHalfClass = [](f16 a, u16 wanted) { return (class_of(a) & wanted) != 0; };

// The six (integers) or sixteen (numbers) relations of one type, with and without writing EXEC.
#define KBUILD_RELATION(name, type, expression)                                                    \
    compare_row("v_cmp_" name, [](type a, type b) { return expression; }),                         \
        exec_row("v_cmpx_" name, [](type a, type b) { return expression; })
#define KBUILD_ALWAYS(name, type, value)                                                           \
    compare_row("v_cmp_" name, [](type, type) { return value; }),                                  \
        exec_row("v_cmpx_" name, [](type, type) { return value; })
#define KBUILD_INTEGER_RELATIONS(suffix, type)                                                     \
    KBUILD_ALWAYS("f_" suffix, type, false), KBUILD_RELATION("lt_" suffix, type, a < b),           \
        KBUILD_RELATION("eq_" suffix, type, a == b), KBUILD_RELATION("le_" suffix, type, a <= b),  \
        KBUILD_RELATION("gt_" suffix, type, a > b), KBUILD_RELATION("ne_" suffix, type, a != b),   \
        KBUILD_RELATION("ge_" suffix, type, a >= b), KBUILD_ALWAYS("t_" suffix, type, true)
#define KBUILD_FLOAT_RELATIONS(suffix, type)                                                       \
    KBUILD_ALWAYS("f_" suffix, type, false), KBUILD_RELATION("lt_" suffix, type, a < b),           \
        KBUILD_RELATION("eq_" suffix, type, a == b), KBUILD_RELATION("le_" suffix, type, a <= b),  \
        KBUILD_RELATION("gt_" suffix, type, a > b),                                                \
        KBUILD_RELATION("lg_" suffix, type, (a < b) | (a > b)),                                    \
        KBUILD_RELATION("ge_" suffix, type, a >= b),                                               \
        KBUILD_RELATION("o_" suffix, type, (a == a) & (b == b)),                                   \
        KBUILD_RELATION("u_" suffix, type, (a != a) | (b != b)),                                   \
        KBUILD_RELATION("nge_" suffix, type, !(a >= b)),                                           \
        KBUILD_RELATION("nlg_" suffix, type, !((a < b) | (a > b))),                                \
        KBUILD_RELATION("ngt_" suffix, type, !(a > b)),                                            \
        KBUILD_RELATION("nle_" suffix, type, !(a <= b)),                                           \
        KBUILD_RELATION("neq_" suffix, type, a != b),                                              \
        KBUILD_RELATION("nlt_" suffix, type, !(a < b)), KBUILD_ALWAYS("tru_" suffix, type, true)

constexpr Row kRows[] = {
    KBUILD_INTEGER_RELATIONS("i32", i32),
    KBUILD_INTEGER_RELATIONS("u32", u32),
    KBUILD_INTEGER_RELATIONS("i64", i64),
    KBUILD_INTEGER_RELATIONS("u64", u64),
    KBUILD_INTEGER_RELATIONS("i16", i16),
    KBUILD_INTEGER_RELATIONS("u16", u16),
    KBUILD_FLOAT_RELATIONS("f32", float),
    KBUILD_FLOAT_RELATIONS("f64", double),
    KBUILD_FLOAT_RELATIONS("f16", f16),
    compare_row("v_cmp_class_f32", kClass<float>),
    exec_row("v_cmpx_class_f32", kClass<float>),
    compare_row("v_cmp_class_f64", kClass<double>),
    exec_row("v_cmpx_class_f64", kClass<double>),
    compare_row("v_cmp_class_f16", kHalfClass),
    exec_row("v_cmpx_class_f16", kHalfClass),
};

#undef KBUILD_RELATION
#undef KBUILD_ALWAYS
#undef KBUILD_INTEGER_RELATIONS
#undef KBUILD_FLOAT_RELATIONS

} // namespace

std::span<const Row> compare_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
