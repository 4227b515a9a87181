#include "isa/float_math.hpp"
#include "isa/half_math.hpp"
#include "isa/rows.hpp"
#include "isa/valu.hpp"

#include <algorithm>

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

/// One half of a packed operand for the low (`half` 0) or high (1) result, with its sign changed.
template <class T>
void fetch_half(const Wave& w, const Instruction& in, const Operand& o, u32 half, T* values) {
    Register buffer;
    const u32* const words = fetch_words(w, in, o, buffer.lane);
    const u32 shift = (o.select >> half & 1U) * 16U;
    for (u32 i = 0; i < kLanes; ++i)
        values[i] = from_bits<T>(static_cast<u16>(words[i] >> shift));
    if ((o.negate >> half & 1U) != 0)
        modify(o, values, half);
}

/// Two 16-bit operations in one.
template <class F> void run_packed16(Wave& w, const Instruction& in) {
    using S = Signature<F>;
    using R = typename S::Result;
    constexpr F f{};
    Values<R> result[2];
    for (u32 half = 0; half < 2; ++half) {
        Values<typename S::template Argument<0>> a;
        Values<typename S::template Argument<1>> b;
        fetch_half(w, in, in.operand[1], half, a.lane);
        fetch_half(w, in, in.operand[2], half, b.lane);
        if constexpr (S::kCount == 2) {
            for (u32 i = 0; i < kLanes; ++i)
                result[half].lane[i] = f(a.lane[i], b.lane[i]);
        } else {
            Values<typename S::template Argument<2>> c;
            fetch_half(w, in, in.operand[3], half, c.lane);
            for (u32 i = 0; i < kLanes; ++i)
                result[half].lane[i] = f(a.lane[i], b.lane[i], c.lane[i]);
        }
        if (in.clamp)
            shape_result(in, result[half].lane);
    }
    Register words;
    for (u32 i = 0; i < kLanes; ++i)
        words.lane[i] = u32{std::bit_cast<u16>(result[0].lane[i])} |
                        u32{std::bit_cast<u16>(result[1].lane[i])} << 16U;
    write_words(w.v[in.operand[0].index], words.lane, w.exec());
}

/// For packed floats `select` chooses one of two registers; a scalar or constant operand has a low
/// word only if it is 32 bits wide.
inline const float* fetch_word(const Wave& w, const Operand& o, u32 half, Values<float>& buffer) {
    const u32 which = o.select >> half & 1U;
    const bool negate = (o.negate >> half & 1U) != 0;
    if (o.place == Place::vector) {
        const u32* const words = w.v[o.index + which].lane;
        if (!negate)
            return reinterpret_cast<const float*>(words);
        std::memcpy(buffer.lane, words, sizeof buffer);
    } else {
        const u64 pair = scalar64(w, o);
        const float value = std::bit_cast<float>(static_cast<u32>(which != 0 ? pair >> 32U : pair));
        for (u32 i = 0; i < kLanes; ++i)
            buffer.lane[i] = value;
    }
    if (negate)
        modify(o, buffer.lane, half);
    return buffer.lane;
}

template <class F> void run_packed32(Wave& w, const Instruction& in) {
    using S = Signature<F>;
    constexpr F f{};
    Values<float> result[2];
    for (u32 half = 0; half < 2; ++half) {
        Values<float> buffer[3];
        const float* const a = fetch_word(w, in.operand[1], half, buffer[0]);
        if constexpr (S::kCount == 1) {
            for (u32 i = 0; i < kLanes; ++i)
                result[half].lane[i] = f(a[i]);
        } else {
            const float* const b = fetch_word(w, in.operand[2], half, buffer[1]);
            if constexpr (S::kCount == 2) {
                for (u32 i = 0; i < kLanes; ++i)
                    result[half].lane[i] = f(a[i], b[i]);
            } else {
                const float* const c = fetch_word(w, in.operand[3], half, buffer[2]);
                for (u32 i = 0; i < kLanes; ++i)
                    result[half].lane[i] = f(a[i], b[i], c[i]);
            }
        }
        if (in.clamp)
            shape_result(in, result[half].lane);
    }
    const u64 lanes = w.exec();
    for (u32 half = 0; half < 2; ++half)
        write_words(w.v[in.operand[0].index + half],
                    reinterpret_cast<const u32*>(result[half].lane),
                    lanes);
}

/// v_pk_mov_b32: the low result is a word of the first source, the high one of the second;
/// op_sel chooses both, op_sel_hi means nothing here.
void packed_move(Wave& w, const Instruction& in) {
    Values<float> buffer[2];
    Register low;
    Register high;
    std::memcpy(&low, fetch_word(w, in.operand[1], 0, buffer[0]), sizeof low);
    std::memcpy(&high, fetch_word(w, in.operand[2], 0, buffer[1]), sizeof high);
    const u64 lanes = w.exec();
    write_words(w.v[in.operand[0].index], low.lane, lanes);
    write_words(w.v[in.operand[0].index + 1U], high.lane, lanes);
}

/// A source of v_fma_mix: a float (op_sel_hi 0), or a half of the register.
void fetch_mixed(const Wave& w, const Instruction& in, const Operand& o, float* values) {
    Register buffer;
    const u32* const words = fetch_words(w, in, o, buffer.lane);
    const u32 shift = (o.select & 1U) * 16U;
    if ((o.select & 2U) == 0)
        std::memcpy(values, words, sizeof(Register));
    else
        for (u32 i = 0; i < kLanes; ++i)
            values[i] = static_cast<float>(from_bits<f16>(static_cast<u16>(words[i] >> shift)));
    if (o.absolute || (o.negate & 1U) != 0)
        modify(o, values, 0);
}

enum class Into { word, low, high };

template <Into To> void run_mixed(Wave& w, const Instruction& in) {
    Values<float> a;
    Values<float> b;
    Values<float> c;
    fetch_mixed(w, in, in.operand[1], a.lane);
    fetch_mixed(w, in, in.operand[2], b.lane);
    fetch_mixed(w, in, in.operand[3], c.lane);
    Values<float> result;
    for (u32 i = 0; i < kLanes; ++i)
        result.lane[i] = fixed_nan(std::fma(a.lane[i], b.lane[i], c.lane[i]));
    if (in.clamp)
        shape_result(in, result.lane);
    Register& to = w.v[in.operand[0].index];
    Register words;
    for (u32 i = 0; i < kLanes; ++i) {
        const u32 half = std::bit_cast<u16>(static_cast<f16>(result.lane[i]));
        words.lane[i] = To == Into::word  ? std::bit_cast<u32>(result.lane[i])
                        : To == Into::low ? (to.lane[i] & 0xffff0000U) | half
                                          : (to.lane[i] & 0xffffU) | half << 16U;
    }
    write_words(to, words.lane, w.exec());
}

constexpr Row packed_row(std::string_view name, Handler run, Type type, std::size_t sources) {
    Row row;
    row.name = name;
    row.run = run;
    row.flags = kPacked;
    row.operands[0] = {Role::write, type};
    for (std::size_t i = 0; i < sources; ++i)
        row.operands[i + 1] = {Role::read, type};
    return row;
}

/// 16-bit halves: floats have a type of their own, for constants.
template <class F> constexpr Row row16(std::string_view name, F) {
    using S = Signature<F>;
    constexpr bool number = is_float<typename S::template Argument<0>>;
    return packed_row(name, &run_packed16<F>, number ? Type::f16 : Type::b32, S::kCount);
}
template <class F> constexpr Row row32(std::string_view name, F) {
    return packed_row(name, &run_packed32<F>, Type::b64, Signature<F>::kCount);
}

constexpr Row mixed_row(std::string_view name, Handler run, Role role) {
    Row row;
    row.name = name;
    row.run = run;
    row.flags = kMixed;
    row.operands[0] = {role, Type::b32};
    for (std::size_t i = 1; i < 4; ++i)
        row.operands[i] = {Role::read, Type::f32};
    return row;
}

u16 low(u32 value) {
    return static_cast<u16>(value);
}

constexpr Row kRows[] = {
    row16("v_pk_add_f16", [](f16 a, f16 b) { return half(wide(a) + wide(b)); }),
    row16("v_pk_mul_f16", [](f16 a, f16 b) { return half(wide(a) * wide(b)); }),
    row16("v_pk_fma_f16", [](f16 a, f16 b, f16 c) { return fused(a, b, c); }),
    row16("v_pk_min_f16", [](f16 a, f16 b) { return minimum(a, b); }),
    row16("v_pk_max_f16", [](f16 a, f16 b) { return maximum(a, b); }),
    row16("v_pk_add_u16", [](u16 a, u16 b) { return low(u32{a} + b); }),
    row16("v_pk_sub_u16", [](u16 a, u16 b) { return low(u32{a} - b); }),
    row16("v_pk_add_i16", [](u16 a, u16 b) { return low(u32{a} + b); }),
    row16("v_pk_sub_i16", [](u16 a, u16 b) { return low(u32{a} - b); }),
    row16("v_pk_mul_lo_u16", [](u16 a, u16 b) { return low(u32{a} * b); }),
    row16("v_pk_mad_u16", [](u16 a, u16 b, u16 c) { return low(u32{a} * b + c); }),
    row16("v_pk_mad_i16", [](u16 a, u16 b, u16 c) { return low(u32{a} * b + c); }),
    row16("v_pk_min_u16", [](u16 a, u16 b) { return std::min(a, b); }),
    row16("v_pk_max_u16", [](u16 a, u16 b) { return std::max(a, b); }),
    row16("v_pk_min_i16", [](i16 a, i16 b) { return std::min(a, b); }),
    row16("v_pk_max_i16", [](i16 a, i16 b) { return std::max(a, b); }),
    row16("v_pk_lshlrev_b16", [](u16 a, u16 b) { return low(u32{b} << (a & 15U)); }),
    row16("v_pk_lshrrev_b16", [](u16 a, u16 b) { return low(u32{b} >> (a & 15U)); }),
    row16("v_pk_ashrrev_i16", [](u16 a, i16 b) { return static_cast<u16>(b >> (a & 15U)); }),
    row32("v_pk_add_f32", [](float a, float b) { return fixed_nan(a + b); }),
    row32("v_pk_mul_f32", [](float a, float b) { return fixed_nan(a * b); }),
    row32("v_pk_fma_f32", [](float a, float b, float c) { return fixed_nan(std::fma(a, b, c)); }),
    packed_row("v_pk_mov_b32", &packed_move, Type::b64, 2),
    mixed_row("v_fma_mix_f32", &run_mixed<Into::word>, Role::write),
    mixed_row("v_fma_mixlo_f16", &run_mixed<Into::low>, Role::update),
    mixed_row("v_fma_mixhi_f16", &run_mixed<Into::high>, Role::update),
};

} // namespace

std::span<const Row> packed_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
