#include "isa/rows.hpp"
#include "isa/valu.hpp"

#include <algorithm>

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

// Bit i of a `moving` row's mask is operand i; operand 0 is the result.
constexpr u8 kFirst = 2;
constexpr u8 kSecond = 4;
constexpr u8 kThird = 8;

i32 signed24(u32 value) {
    return static_cast<i32>(value << 8U) >> 8;
}
u32 unsigned24(u32 value) {
    return value & 0xffffffU;
}

u32 reversed(u32 v) {
    v = (v >> 1U & 0x55555555U) | (v & 0x55555555U) << 1U;
    v = (v >> 2U & 0x33333333U) | (v & 0x33333333U) << 2U;
    v = (v >> 4U & 0x0f0f0f0fU) | (v & 0x0f0f0f0fU) << 4U;
    return __builtin_bswap32(v);
}

u32 field_u32(u32 value, u32 offset, u32 width) {
    offset &= 31U;
    width &= 31U;
    return value >> offset & ((1U << width) - 1U);
}

i32 field_i32(u32 value, u32 offset, u32 width) {
    offset &= 31U;
    width &= 31U;
    if (width == 0)
        return 0;
    const u32 kept = std::min(width, 32 - offset);
    return static_cast<i32>(value << (32 - kept - offset)) >> (32 - kept);
}

/// v_perm_b32: bytes 0-3 are those of the second source, 4-7 those of the first.
u32 permuted(u32 a, u32 b, u32 selector) {
    const u64 bytes = u64{a} << 32U | b;
    u32 out = 0;
    for (u32 i = 0; i < 4; ++i) {
        const u32 s = selector >> (8 * i) & 0xffU;
        u32 byte = 0;
        if (s < 8)
            byte = static_cast<u32>(bytes >> (8 * s)) & 0xffU;
        else if (s < 12) // the sign of a half
            byte = (bytes >> (16 * (s - 8) + 15) & 1U) != 0 ? 0xffU : 0;
        else if (s > 12)
            byte = 0xffU;
        out |= byte << (8 * i);
    }
    return out;
}

u32 byte_distance(u32 a, u32 b, bool masked) {
    u32 sum = 0;
    for (u32 i = 0; i < 32; i += 8) {
        const i32 x = static_cast<i32>(a >> i & 0xffU);
        const i32 y = static_cast<i32>(b >> i & 0xffU);
        if (!masked || y != 0)
            sum += static_cast<u32>(x > y ? x - y : y - x);
    }
    return sum;
}

u32 half_distance(u32 a, u32 b) {
    const auto distance = [](u32 x, u32 y) { return x > y ? x - y : y - x; };
    return distance(a & 0xffffU, b & 0xffffU) + distance(a >> 16U, b >> 16U);
}

template <class T> T median(T a, T b, T c) {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// Sum or difference with `clamp` as saturation.
template <class T, bool Subtract, bool Reverse> void saturating(Wave& w, const Instruction& in) {
    Values<T> buffer0;
    Values<T> buffer1;
    const T* a = fetch<T>(w, in, in.operand[1], buffer0);
    const T* b = fetch<T>(w, in, in.operand[2], buffer1);
    if constexpr (Reverse)
        std::swap(a, b);
    Values<T> result;
    for (u32 i = 0; i < kLanes; ++i) {
        const auto x = static_cast<u32>(a[i]);
        const auto y = static_cast<u32>(b[i]);
        result.lane[i] = static_cast<T>(Subtract ? x - y : x + y);
    }
    if (in.clamp)
        for (u32 i = 0; i < kLanes; ++i) {
            const i64 exact = Subtract ? i64{a[i]} - i64{b[i]} : i64{a[i]} + i64{b[i]};
            constexpr i64 low = std::is_signed_v<T> ? i64{-2147483648LL} : i64{0};
            constexpr i64 high = std::is_signed_v<T> ? i64{2147483647LL} : i64{4294967295LL};
            result.lane[i] = static_cast<T>(std::clamp(exact, low, high));
        }
    store<T>(w, in, in.operand[0], result, active(w, in));
}

template <class T> constexpr Row saturating_row(std::string_view name, Handler run) {
    Row row;
    row.name = name;
    row.run = run;
    row.taint = Taint::upward;
    row.flags = kSaturates;
    row.operands[0] = {Role::write, Type::b32};
    row.operands[1] = {Role::read, Type::b32};
    row.operands[2] = {Role::read, Type::b32};
    return row;
}

/// v_add_co_u32 and its relatives: a carry per lane comes out, and goes in for the `c` forms.
template <bool Subtract, bool Reverse, bool CarryIn>
void with_carry(Wave& w, const Instruction& in) {
    Values<u32> buffer0;
    Values<u32> buffer1;
    const u32* a = fetch<u32>(w, in, in.operand[2], buffer0);
    const u32* b = fetch<u32>(w, in, in.operand[3], buffer1);
    if constexpr (Reverse)
        std::swap(a, b);
    LaneMask carry{};
    if constexpr (CarryIn)
        carry = spread(scalar64(w, in.operand[4]));
    Values<u32> result;
    LaneMask out;
    for (u32 i = 0; i < kLanes; ++i) {
        const u64 c = carry.lane[i] & 1U;
        const u64 sum = Subtract ? u64{a[i]} - b[i] - c : u64{a[i]} + b[i] + c;
        result.lane[i] = static_cast<u32>(sum);
        out.lane[i] = (sum >> 32U) != 0 ? ~0U : 0U;
    }
    const u64 lanes = active(w, in);
    store<u32>(w, in, in.operand[0], result, lanes);
    w.set_scalar64(in.operand[1].index, gather_bits(out.lane) & w.exec());
}

constexpr Row carry_row(std::string_view name, Handler run, bool carry_in) {
    Row row;
    row.name = name;
    row.run = run;
    row.taint = Taint::upward;
    row.operands[0] = {Role::write, Type::b32};
    row.operands[1] = {Role::write, Type::mask};
    row.operands[2] = {Role::read, Type::b32};
    row.operands[3] = {Role::read, Type::b32};
    if (carry_in)
        row.operands[4] = {Role::read, Type::mask};
    return row;
}

/// v_mad_u64_u32: 32 x 32 + 64 bits; the carry out goes to a scalar pair.
template <class T, class Wide> void multiply_wide(Wave& w, const Instruction& in) {
    Values<T> buffer0;
    Values<T> buffer1;
    Values<u64> buffer2;
    const T* a = fetch<T>(w, in, in.operand[2], buffer0);
    const T* b = fetch<T>(w, in, in.operand[3], buffer1);
    const u64* c = fetch<u64>(w, in, in.operand[4], buffer2);
    Values<u64> result;
    u64 carry = 0;
    for (u32 i = 0; i < kLanes; ++i) {
        const auto product = static_cast<u64>(Wide{a[i]} * Wide{b[i]});
        result.lane[i] = product + c[i];
        carry |= u64{result.lane[i] < product} << i;
    }
    const u64 lanes = active(w, in);
    store<u64>(w, in, in.operand[0], result, lanes);
    w.set_scalar64(in.operand[1].index, carry & w.exec());
}

constexpr Row wide_row(std::string_view name, Handler run) {
    Row row;
    row.name = name;
    row.run = run;
    row.taint = Taint::upward;
    row.operands[0] = {Role::write, Type::b64};
    row.operands[1] = {Role::write, Type::mask};
    row.operands[2] = {Role::read, Type::b32};
    row.operands[3] = {Role::read, Type::b32};
    row.operands[4] = {Role::read, Type::b64};
    return row;
}

/// v_mbcnt: counts bits of a mask below the lane.
template <bool High> void count_below(Wave& w, const Instruction& in) {
    Values<u32> buffer0;
    Values<u32> buffer1;
    const u32* mask = fetch<u32>(w, in, in.operand[1], buffer0);
    const u32* add = fetch<u32>(w, in, in.operand[2], buffer1);
    Values<u32> result;
    for (u32 i = 0; i < kLanes; ++i) {
        const u64 below = (u64{1} << i) - 1;
        const u32 part = static_cast<u32>(High ? below >> 32U : below);
        result.lane[i] = static_cast<u32>(std::popcount(mask[i] & part)) + add[i];
    }
    store<u32>(w, in, in.operand[0], result, active(w, in));
}

constexpr Row binary_row(std::string_view name, Handler run) {
    Row row;
    row.name = name;
    row.run = run;
    row.operands[0] = {Role::write, Type::b32};
    row.operands[1] = {Role::read, Type::b32};
    row.operands[2] = {Role::read, Type::b32};
    return row;
}

constexpr Row kRows[] = {
    moving(lane_row("v_mov_b32", [](u32 a) { return a; }), kFirst),
    moving(lane_row("v_mov_b64", [](u64 a) { return a; }), kFirst),
    with_taint(lane_row("v_not_b32", [](u32 a) { return ~a; }), Taint::merge),
    with_taint(lane_row("v_and_b32", [](u32 a, u32 b) { return a & b; }), Taint::bits_and),
    with_taint(lane_row("v_or_b32", [](u32 a, u32 b) { return a | b; }), Taint::bits_or),
    with_taint(lane_row("v_xor_b32", [](u32 a, u32 b) { return a ^ b; }), Taint::merge),
    with_taint(lane_row("v_xnor_b32", [](u32 a, u32 b) { return ~(a ^ b); }), Taint::merge),
    moving(lane_row("v_or3_b32", [](u32 a, u32 b, u32 c) { return a | b | c; }),
           kFirst | kSecond | kThird),
    moving(lane_row("v_and_or_b32", [](u32 a, u32 b, u32 c) { return (a & b) | c; }),
           kFirst | kThird),
    moving(lane_row("v_lshl_or_b32", [](u32 a, u32 b, u32 c) { return a << (b & 31U) | c; }),
           kFirst | kThird),
    moving(lane_row("v_bfi_b32", [](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }),
           kSecond | kThird),
    moving(lane_row("v_lshlrev_b32", [](u32 a, u32 b) { return b << (a & 31U); }), kSecond),
    moving(lane_row("v_lshrrev_b32", [](u32 a, u32 b) { return b >> (a & 31U); }), kSecond),
    moving(lane_row("v_ashrrev_i32", [](u32 a, i32 b) { return b >> (a & 31U); }), kSecond),
    moving(lane_row("v_lshlrev_b64", [](u32 a, u64 b) { return b << (a & 63U); }), kSecond),
    moving(lane_row("v_lshrrev_b64", [](u32 a, u64 b) { return b >> (a & 63U); }), kSecond),
    moving(lane_row("v_ashrrev_i64", [](u32 a, i64 b) { return b >> (a & 63U); }), kSecond),
    moving(lane_row("v_alignbit_b32",
                    [](u32 a, u32 b, u32 c) {
                        return static_cast<u32>((u64{a} << 32U | b) >> (c & 31U));
                    }),
           kFirst | kSecond),
    moving(lane_row("v_alignbyte_b32",
                    [](u32 a, u32 b, u32 c) {
                        return static_cast<u32>((u64{a} << 32U | b) >> (8 * (c & 3U)));
                    }),
           kFirst | kSecond),
    moving(lane_row("v_bfe_u32", [](u32 a, u32 b, u32 c) { return field_u32(a, b, c); }), kFirst),
    moving(lane_row("v_bfe_i32", [](u32 a, u32 b, u32 c) { return field_i32(a, b, c); }), kFirst),
    lane_row("v_bfm_b32", [](u32 a, u32 b) { return ((1U << (a & 31U)) - 1U) << (b & 31U); }),
    moving(lane_row("v_bfrev_b32", [](u32 a) { return reversed(a); }), kFirst),
    moving(lane_row("v_perm_b32", [](u32 a, u32 b, u32 c) { return permuted(a, b, c); }),
           kFirst | kSecond),
    lane_row("v_bcnt_u32_b32", [](u32 a, u32 b) { return static_cast<u32>(std::popcount(a)) + b; }),
    lane_row("v_ffbh_u32",
             [](u32 a) { return a == 0 ? ~0U : static_cast<u32>(std::countl_zero(a)); }),
    lane_row("v_ffbh_i32",
             [](i32 a) {
                 const u32 v = static_cast<u32>(a < 0 ? ~a : a);
                 return v == 0 ? ~0U : static_cast<u32>(std::countl_zero(v));
             }),
    lane_row("v_ffbl_b32",
             [](u32 a) { return a == 0 ? ~0U : static_cast<u32>(std::countr_zero(a)); }),

    saturating_row<u32>("v_add_u32", &saturating<u32, false, false>),
    saturating_row<u32>("v_sub_u32", &saturating<u32, true, false>),
    saturating_row<u32>("v_subrev_u32", &saturating<u32, true, true>),
    saturating_row<i32>("v_add_i32", &saturating<i32, false, false>),
    saturating_row<i32>("v_sub_i32", &saturating<i32, true, false>),
    carry_row("v_add_co_u32", &with_carry<false, false, false>, false),
    carry_row("v_sub_co_u32", &with_carry<true, false, false>, false),
    carry_row("v_subrev_co_u32", &with_carry<true, true, false>, false),
    carry_row("v_addc_co_u32", &with_carry<false, false, true>, true),
    carry_row("v_subb_co_u32", &with_carry<true, false, true>, true),
    carry_row("v_subbrev_co_u32", &with_carry<true, true, true>, true),
    with_taint(lane_row("v_add3_u32", [](u32 a, u32 b, u32 c) { return a + b + c; }),
               Taint::upward),
    with_taint(lane_row("v_lshl_add_u32", [](u32 a, u32 b, u32 c) { return (a << (b & 31U)) + c; }),
               Taint::upward),
    lane_row("v_add_lshl_u32", [](u32 a, u32 b, u32 c) { return (a + b) << (c & 31U); }),
    with_taint(lane_row("v_lshl_add_u64", [](u64 a, u32 b, u64 c) { return (a << (b & 7U)) + c; }),
               Taint::upward),
    lane_row("v_xad_u32", [](u32 a, u32 b, u32 c) { return (a ^ b) + c; }),
    with_taint(lane_row("v_mul_lo_u32", [](u32 a, u32 b) { return a * b; }), Taint::upward),
    lane_row("v_mul_hi_u32", [](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32U); }),
    lane_row("v_mul_hi_i32",
             [](i32 a, i32 b) { return static_cast<u32>(static_cast<u64>(i64{a} * b) >> 32U); }),
    with_taint(
        lane_row("v_mul_u32_u24", [](u32 a, u32 b) { return unsigned24(a) * unsigned24(b); }),
        Taint::upward),
    lane_row("v_mul_i32_i24",
             [](u32 a, u32 b) { return static_cast<u32>(i64{signed24(a)} * signed24(b)); }),
    lane_row(
        "v_mul_hi_u32_u24",
        [](u32 a, u32 b) { return static_cast<u32>(u64{unsigned24(a)} * unsigned24(b) >> 32U); }),
    lane_row("v_mul_hi_i32_i24",
             [](u32 a, u32 b) {
                 return static_cast<u32>(static_cast<u64>(i64{signed24(a)} * signed24(b)) >> 32U);
             }),
    with_taint(lane_row("v_mad_u32_u24",
                        [](u32 a, u32 b, u32 c) { return unsigned24(a) * unsigned24(b) + c; }),
               Taint::upward),
    with_taint(lane_row("v_mad_i32_i24",
                        [](u32 a, u32 b, u32 c) {
                            return static_cast<u32>(i64{signed24(a)} * signed24(b)) + c;
                        }),
               Taint::upward),
    wide_row("v_mad_u64_u32", &multiply_wide<u32, u64>),
    wide_row("v_mad_i64_i32", &multiply_wide<i32, i64>),
    lane_row("v_min_u32", [](u32 a, u32 b) { return std::min(a, b); }),
    lane_row("v_max_u32", [](u32 a, u32 b) { return std::max(a, b); }),
    lane_row("v_min_i32", [](i32 a, i32 b) { return std::min(a, b); }),
    lane_row("v_max_i32", [](i32 a, i32 b) { return std::max(a, b); }),
    lane_row("v_min3_u32", [](u32 a, u32 b, u32 c) { return std::min(std::min(a, b), c); }),
    lane_row("v_max3_u32", [](u32 a, u32 b, u32 c) { return std::max(std::max(a, b), c); }),
    lane_row("v_med3_u32", [](u32 a, u32 b, u32 c) { return median(a, b, c); }),
    lane_row("v_min3_i32", [](i32 a, i32 b, i32 c) { return std::min(std::min(a, b), c); }),
    lane_row("v_max3_i32", [](i32 a, i32 b, i32 c) { return std::max(std::max(a, b), c); }),
    lane_row("v_med3_i32", [](i32 a, i32 b, i32 c) { return median(a, b, c); }),
    lane_row("v_sad_u8", [](u32 a, u32 b, u32 c) { return byte_distance(a, b, false) + c; }),
    lane_row("v_sad_hi_u8",
             [](u32 a, u32 b, u32 c) { return (byte_distance(a, b, false) << 16U) + c; }),
    lane_row("v_msad_u8", [](u32 a, u32 b, u32 c) { return byte_distance(a, b, true) + c; }),
    lane_row("v_sad_u16", [](u32 a, u32 b, u32 c) { return half_distance(a, b) + c; }),
    lane_row("v_sad_u32", [](u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; }),
    binary_row("v_mbcnt_lo_u32_b32", &count_below<false>),
    binary_row("v_mbcnt_hi_u32_b32", &count_below<true>),
};

} // namespace

std::span<const Row> integer_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
