#include "one_instruction.hpp"

#include <algorithm>

// Vector instructions against the ISA's formulas, beyond those of instruction_test.cpp.

using namespace kbuild::emulator;

namespace {

i32 s(u32 value) {
    return static_cast<i32>(value);
}
i32 s16(u32 value) {
    return static_cast<i16>(value);
}
u32 u16_of(u32 value) {
    return value & 0xffffU;
}
i32 s24(u32 value) {
    return s(value << 8U) >> 8;
}
u32 u24(u32 value) {
    return value & 0xffffffU;
}
u32 low(i64 value) {
    return static_cast<u32>(value);
}
u32 byte(u32 value, u32 i) {
    return value >> (8 * i) & 0xffU;
}
template <class T> T median_of(T a, T b, T c) {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}
u32 difference(u32 a, u32 b) {
    return a > b ? a - b : b - a;
}

/// The same for both halves.
Formula halves(u32 (*f)(u32, u32, u32)) {
    return [f](u32 a, u32 b, u32 c) {
        return (f(a & 0xffffU, b & 0xffffU, c & 0xffffU) & 0xffffU) |
               f(a >> 16U, b >> 16U, c >> 16U) << 16U;
    };
}

u64 wide(u32 (*low_word)(u32), u32 (*high_word)(u32), u32 lane) {
    return low_word(lane) | u64{high_word(lane)} << 32U;
}

using WideFormula = std::function<u64(u64, u64, u64)>;

/// v[2:3], v[4:5] and v[6:7] are the sources, v[8:9] is the result; NaNs count as equal.
void check_pairs(const std::string& text, const WideFormula& formula, bool numbers = false) {
    OneWave one;
    for (u32 lane = 0; lane < kLanes; ++lane) {
        const u64 sources[3] = {
            wide(first, second, lane), wide(third, first, lane), wide(second, third, lane)};
        for (u32 i = 0; i < 3; ++i) {
            one.wave.v[2 + 2 * i].lane[lane] = static_cast<u32>(sources[i]);
            one.wave.v[3 + 2 * i].lane[lane] = static_cast<u32>(sources[i] >> 32U);
        }
    }
    run(one, text);
    for (u32 lane = 0; lane < kLanes; ++lane) {
        const u64 got = pair_of(one, 8, lane);
        const u64 want =
            formula(wide(first, second, lane), wide(third, first, lane), wide(second, third, lane));
        INFO(text << " lane " << lane << std::hex << ": " << got << ", not " << want);
        const bool nan = numbers && std::isnan(std::bit_cast<double>(got)) &&
                         std::isnan(std::bit_cast<double>(want));
        CHECK((nan || got == want));
    }
}

double real(u64 value) {
    return std::bit_cast<double>(value);
}
u64 code(double value) {
    return std::bit_cast<u64>(value);
}

} // namespace

TEST_CASE("three-operand and 24-bit integer instructions") {
    check_lanes("v_add_i32 v0, v1, v2", [](u32 a, u32 b, u32) { return a + b; });
    check_lanes("v_sub_i32 v0, v1, v2", [](u32 a, u32 b, u32) { return a - b; });
    check_lanes("v_mov_b32_e32 v0, v1", [](u32 a, u32, u32) { return a; });
    check_lanes("v_xnor_b32_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return ~(a ^ b); });
    check_lanes("v_or3_b32 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) { return a | b | c; });
    check_lanes("v_xad_u32 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) { return (a ^ b) + c; });
    check_lanes("v_lshl_or_b32 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return (a << b % 32) | c; });
    check_lanes("v_add_lshl_u32 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return (a + b) << c % 32; });
    check_lanes("v_mul_i32_i24_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return low(i64{s24(a)} * s24(b)); });
    check_lanes("v_mul_hi_i32_i24_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return low(i64{s24(a)} * s24(b) >> 32); });
    check_lanes("v_mul_hi_u32_u24_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return static_cast<u32>(u64{u24(a)} * u24(b) >> 32U); });
    check_lanes("v_mad_i32_i24 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return low(i64{s24(a)} * s24(b)) + c; });
    check_lanes("v_mad_u32_u24 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return u24(a) * u24(b) + c; });
    check_lanes("v_mad_u32_u16 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return u16_of(a) * u16_of(b) + c; });
    check_lanes("v_mad_i32_i16 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return low(s16(a) * s16(b)) + c; });
    check_lanes("v_min_u32_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return std::min(a, b); });
    check_lanes("v_max_i32_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return low(std::max(s(a), s(b))); });
    check_lanes("v_min3_u32 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return std::min({a, b, c}); });
    check_lanes("v_max3_u32 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return std::max({a, b, c}); });
    check_lanes("v_med3_u32 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return median_of(a, b, c); });
    check_lanes("v_min3_i32 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return low(std::min({s(a), s(b), s(c)})); });
    check_lanes("v_max3_i32 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return low(std::max({s(a), s(b), s(c)})); });
    check_lanes("v_med3_i32 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return low(median_of(s(a), s(b), s(c))); });
    check_lanes("v_alignbyte_b32 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        return static_cast<u32>((u64{a} << 32U | b) >> 8 * (c % 4));
    });
    check_lanes("v_bfm_b32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return ((1U << a % 32) - 1) << b % 32; });
    check_lanes("v_bfrev_b32_e32 v0, v1", [](u32 a, u32, u32) {
        u32 reversed = 0;
        for (u32 i = 0; i < 32; ++i)
            reversed |= (a >> i & 1U) << (31 - i);
        return reversed;
    });
    check_lanes("v_ffbh_u32_e32 v0, v1",
                [](u32 a, u32, u32) { return a == 0 ? ~0U : low(std::countl_zero(a)); });
    check_lanes("v_ffbl_b32_e32 v0, v1",
                [](u32 a, u32, u32) { return a == 0 ? ~0U : low(std::countr_zero(a)); });
    check_lanes("v_ffbh_i32_e32 v0, v1", [](u32 a, u32, u32) {
        const u32 changes = s(a) < 0 ? ~a : a;
        return changes == 0 ? ~0U : low(std::countl_zero(changes));
    });
    check_lanes("v_cndmask_b32_e64 v0, v1, v2, s[8:9]",
                [](u32 a, u32, u32) { return a; }); // s[8:9] is 0
}

TEST_CASE("sums of absolute differences and dot products") {
    check_lanes("v_sad_u32 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return difference(a, b) + c; });
    check_lanes("v_sad_u16 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        return difference(u16_of(a), u16_of(b)) + difference(a >> 16U, b >> 16U) + c;
    });
    const auto bytes = [](u32 a, u32 b) {
        u32 sum = 0;
        for (u32 i = 0; i < 4; ++i)
            sum += difference(byte(a, i), byte(b, i));
        return sum;
    };
    check_lanes("v_sad_u8 v0, v1, v2, v3", [&](u32 a, u32 b, u32 c) { return bytes(a, b) + c; });
    check_lanes("v_sad_hi_u8 v0, v1, v2, v3",
                [&](u32 a, u32 b, u32 c) { return (bytes(a, b) << 16U) + c; });
    check_lanes("v_msad_u8 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        for (u32 i = 0; i < 4; ++i)
            c += byte(b, i) == 0 ? 0U : difference(byte(a, i), byte(b, i));
        return c;
    });
    check_lanes("v_dot4_u32_u8 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        for (u32 i = 0; i < 4; ++i)
            c += byte(a, i) * byte(b, i);
        return c;
    });
    check_lanes("v_dot4_i32_i8 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        for (u32 i = 0; i < 4; ++i)
            c += low(i64{static_cast<i8>(byte(a, i))} * static_cast<i8>(byte(b, i)));
        return c;
    });
    check_lanes("v_dot2_u32_u16 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        return u16_of(a) * u16_of(b) + (a >> 16U) * (b >> 16U) + c;
    });
    check_lanes("v_dot2_i32_i16 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        return low(i64{s16(a)} * s16(b) + i64{s16(a >> 16U)} * s16(b >> 16U)) + c;
    });
    check_lanes("v_dot8_u32_u4 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        for (u32 i = 0; i < 8; ++i)
            c += (a >> 4 * i & 15U) * (b >> 4 * i & 15U);
        return c;
    });
    check_lanes("v_dot8_i32_i4 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        for (u32 i = 0; i < 8; ++i)
            c += low(i64{s(a >> 4 * i << 28U) >> 28} * (s(b >> 4 * i << 28U) >> 28));
        return c;
    });
    // Onto the old result, which is 0xdeadbeef.
    check_lanes("v_dot2c_i32_i16_e32 v0, v1, v2", [](u32 a, u32 b, u32) {
        return 0xdeadbeefU + low(i64{s16(a)} * s16(b) + i64{s16(a >> 16U)} * s16(b >> 16U));
    });
    check_lanes("v_dot4c_i32_i8_e32 v0, v1, v2", [](u32 a, u32 b, u32) {
        u32 c = 0xdeadbeef;
        for (u32 i = 0; i < 4; ++i)
            c += low(i64{static_cast<i8>(byte(a, i))} * static_cast<i8>(byte(b, i)));
        return c;
    });
    check_lanes("v_dot8c_i32_i4_e32 v0, v1, v2", [](u32 a, u32 b, u32) {
        u32 c = 0xdeadbeef;
        for (u32 i = 0; i < 8; ++i)
            c += low(i64{s(a >> 4 * i << 28U) >> 28} * (s(b >> 4 * i << 28U) >> 28));
        return c;
    });
}

TEST_CASE("16-bit integers, one and two at a time") {
    check_lanes("v_add_u16_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return u16_of(a + b); });
    check_lanes("v_sub_u16_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return u16_of(a - b); });
    check_lanes("v_subrev_u16_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return u16_of(b - a); });
    check_lanes("v_mul_lo_u16_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return u16_of(a * b); });
    check_lanes("v_lshlrev_b16_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return u16_of(b << a % 16); });
    check_lanes("v_lshrrev_b16_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return u16_of(b) >> a % 16; });
    check_lanes("v_ashrrev_i16_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return u16_of(low(s16(b) >> a % 16)); });
    check_lanes("v_min_u16_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return std::min(u16_of(a), u16_of(b)); });
    check_lanes("v_max_u16_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return std::max(u16_of(a), u16_of(b)); });
    check_lanes("v_min_i16_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return u16_of(low(std::min(s16(a), s16(b)))); });
    check_lanes("v_max_i16_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return u16_of(low(std::max(s16(a), s16(b)))); });
    check_lanes("v_add_i16 v0, v1, v2", [](u32 a, u32 b, u32) { return u16_of(a + b); });
    check_lanes("v_sub_i16 v0, v1, v2", [](u32 a, u32 b, u32) { return u16_of(a - b); });
    check_lanes("v_min3_u16 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return std::min({u16_of(a), u16_of(b), u16_of(c)}); });
    check_lanes("v_max3_u16 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return std::max({u16_of(a), u16_of(b), u16_of(c)}); });
    check_lanes("v_med3_u16 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return median_of(u16_of(a), u16_of(b), u16_of(c)); });
    check_lanes("v_min3_i16 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        return u16_of(low(std::min({s16(a), s16(b), s16(c)})));
    });
    check_lanes("v_max3_i16 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        return u16_of(low(std::max({s16(a), s16(b), s16(c)})));
    });
    check_lanes("v_med3_i16 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return u16_of(low(median_of(s16(a), s16(b), s16(c)))); });
    check_lanes("v_mad_legacy_u16 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return u16_of(a * b + c); });
    // These keep the other half of the register.
    check_lanes("v_mad_u16 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return 0xdead0000U | u16_of(a * b + c); });
    check_lanes("v_mad_i16 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return 0xdead0000U | u16_of(a * b + c); });
    check_lanes("v_mad_u16 v0, v1, v2, v3 op_sel:[1,0,1,1]",
                [](u32 a, u32 b, u32 c) { return 0xbeefU | ((a >> 16U) * b + (c >> 16U)) << 16U; });
    check_lanes("v_max3_i16 v0, v1, v2, v3 op_sel:[0,1,1,0]", [](u32 a, u32 b, u32 c) {
        return u16_of(low(std::max({s16(a), s16(b >> 16U), s16(c >> 16U)})));
    });
    check_lanes("v_pk_add_u16 v0, v1, v2", halves([](u32 a, u32 b, u32) { return a + b; }));
    check_lanes("v_pk_add_i16 v0, v1, v2", halves([](u32 a, u32 b, u32) { return a + b; }));
    check_lanes("v_pk_sub_u16 v0, v1, v2", halves([](u32 a, u32 b, u32) { return a - b; }));
    check_lanes("v_pk_sub_i16 v0, v1, v2", halves([](u32 a, u32 b, u32) { return a - b; }));
    check_lanes("v_pk_mul_lo_u16 v0, v1, v2", halves([](u32 a, u32 b, u32) { return a * b; }));
    check_lanes("v_pk_mad_u16 v0, v1, v2, v3",
                halves([](u32 a, u32 b, u32 c) { return a * b + c; }));
    check_lanes("v_pk_mad_i16 v0, v1, v2, v3",
                halves([](u32 a, u32 b, u32 c) { return a * b + c; }));
    check_lanes("v_pk_lshlrev_b16 v0, v1, v2",
                halves([](u32 a, u32 b, u32) { return b << a % 16; }));
    check_lanes("v_pk_lshrrev_b16 v0, v1, v2",
                halves([](u32 a, u32 b, u32) { return b >> a % 16; }));
    check_lanes("v_pk_ashrrev_i16 v0, v1, v2",
                halves([](u32 a, u32 b, u32) { return low(s16(b) >> a % 16); }));
    check_lanes("v_pk_min_u16 v0, v1, v2",
                halves([](u32 a, u32 b, u32) { return std::min(a, b); }));
    check_lanes("v_pk_max_u16 v0, v1, v2",
                halves([](u32 a, u32 b, u32) { return std::max(a, b); }));
    check_lanes("v_pk_min_i16 v0, v1, v2",
                halves([](u32 a, u32 b, u32) { return low(std::min(s16(a), s16(b))); }));
    check_lanes("v_pk_max_i16 v0, v1, v2",
                halves([](u32 a, u32 b, u32) { return low(std::max(s16(a), s16(b))); }));
    check_lanes("v_pk_add_u16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]",
                [](u32 a, u32 b, u32) { return u16_of((a >> 16U) + b) | (a + (b >> 16U)) << 16U; });
    check_lanes("v_pack_b32_f16 v0, v1, v2 op_sel:[1,0,0]",
                [](u32 a, u32 b, u32) { return a >> 16U | b << 16U; });
}

TEST_CASE("64-bit integers and carries") {
    check_pairs("v_lshlrev_b64 v[8:9], v2, v[4:5]", [](u64 a, u64 b, u64) { return b << a % 64; });
    check_pairs("v_lshrrev_b64 v[8:9], v2, v[4:5]", [](u64 a, u64 b, u64) { return b >> a % 64; });
    check_pairs("v_ashrrev_i64 v[8:9], v2, v[4:5]",
                [](u64 a, u64 b, u64) { return static_cast<u64>(static_cast<i64>(b) >> a % 64); });
    check_pairs("v_mov_b64_e32 v[8:9], v[4:5]", [](u64, u64 b, u64) { return b; });
    check_pairs("v_lshl_add_u64 v[8:9], v[2:3], 3, v[6:7]",
                [](u64 a, u64, u64 c) { return (a << 3U) + c; });
    check_pairs("v_mad_u64_u32 v[8:9], s[8:9], v2, v4, v[6:7]", [](u64 a, u64 b, u64 c) {
        return u64{static_cast<u32>(a)} * static_cast<u32>(b) + c;
    });
    check_pairs("v_mad_i64_i32 v[8:9], s[8:9], v2, v4, v[6:7]", [](u64 a, u64 b, u64 c) {
        return static_cast<u64>(i64{static_cast<i32>(a)} * static_cast<i32>(b)) + c;
    });
    struct Carry {
        const char* text;
        u64 (*sum)(u64 a, u64 b, u64 in); ///< its bit 32 is the carry or the borrow
    };
    const Carry carries[] = {
        {"v_add_co_u32_e32 v0, vcc, v1, v2", [](u64 a, u64 b, u64) { return a + b; }},
        {"v_sub_co_u32_e32 v0, vcc, v1, v2", [](u64 a, u64 b, u64) { return a - b; }},
        {"v_subrev_co_u32_e32 v0, vcc, v1, v2", [](u64 a, u64 b, u64) { return b - a; }},
        {"v_addc_co_u32_e32 v0, vcc, v1, v2, vcc", [](u64 a, u64 b, u64 in) { return a + b + in; }},
        {"v_subb_co_u32_e32 v0, vcc, v1, v2, vcc", [](u64 a, u64 b, u64 in) { return a - b - in; }},
        {"v_subbrev_co_u32_e32 v0, vcc, v1, v2, vcc",
         [](u64 a, u64 b, u64 in) { return b - a - in; }},
    };
    constexpr u64 exec = 0xffff00ffffffff0f;
    constexpr u64 carry_in = 0xaaaaaaaa33333333;
    for (const auto& one_carry : carries) {
        OneWave one;
        prepared(one).wave.set_scalar64(kVcc, carry_in);
        one.wave.set_scalar64(kExec, exec);
        run(one, one_carry.text);
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const bool on = (exec >> lane & 1U) != 0;
            const u64 sum = one_carry.sum(first(lane), second(lane), carry_in >> lane & 1U);
            INFO(one_carry.text << " lane " << lane);
            CHECK(one.wave.v[0].lane[lane] == (on ? static_cast<u32>(sum) : 0xdeadbeefU));
            CHECK((one.wave.vcc() >> lane & 1U) == (on ? sum >> 32U & 1U : 0U));
        }
    }
}

TEST_CASE("fp64 instructions are IEEE's") {
    check_pairs(
        "v_add_f64 v[8:9], v[2:3], -v[4:5]",
        [](u64 a, u64 b, u64) { return code(real(a) - real(b)); },
        true);
    check_pairs(
        "v_mul_f64 v[8:9], |v[2:3]|, v[4:5]",
        [](u64 a, u64 b, u64) { return code(std::fabs(real(a)) * real(b)); },
        true);
    check_pairs(
        "v_fma_f64 v[8:9], v[2:3], v[4:5], v[6:7]",
        [](u64 a, u64 b, u64 c) { return code(std::fma(real(a), real(b), real(c))); },
        true);
    check_pairs(
        "v_floor_f64_e32 v[8:9], v[2:3]",
        [](u64 a, u64, u64) { return code(std::floor(real(a))); },
        true);
    check_pairs(
        "v_ceil_f64_e32 v[8:9], v[2:3]",
        [](u64 a, u64, u64) { return code(std::ceil(real(a))); },
        true);
    check_pairs(
        "v_trunc_f64_e32 v[8:9], v[2:3]",
        [](u64 a, u64, u64) { return code(std::trunc(real(a))); },
        true);
    check_pairs(
        "v_rndne_f64_e32 v[8:9], v[2:3]",
        [](u64 a, u64, u64) { return code(std::nearbyint(real(a))); },
        true);
    check_pairs(
        "v_cvt_f64_f32_e32 v[8:9], v2",
        [](u64 a, u64, u64) { return code(static_cast<double>(number(static_cast<u32>(a)))); },
        true);
    check_pairs("v_cvt_f64_i32_e32 v[8:9], v2",
                [](u64 a, u64, u64) { return code(static_cast<i32>(a)); });
    check_pairs("v_cvt_f64_u32_e32 v[8:9], v2",
                [](u64 a, u64, u64) { return code(static_cast<u32>(a)); });
}

TEST_CASE("fp32 beyond the basic operations") {
    const auto unary = [](const std::string& text, float (*f)(float)) {
        check_lanes(text, [f](u32 a, u32, u32) { return bits(f(number(a))); }, true);
    };
    check_lanes(
        "v_sub_f32_e32 v0, v1, v2",
        [](u32 a, u32 b, u32) { return bits(number(a) - number(b)); },
        true);
    check_lanes(
        "v_subrev_f32_e32 v0, v1, v2",
        [](u32 a, u32 b, u32) { return bits(number(b) - number(a)); },
        true);
    unary("v_floor_f32_e32 v0, v1", [](float x) { return std::floor(x); });
    unary("v_ceil_f32_e32 v0, v1", [](float x) { return std::ceil(x); });
    check_lanes("v_cvt_f32_i32_e32 v0, v1",
                [](u32 a, u32, u32) { return bits(static_cast<float>(s(a))); });
    check_lanes("v_cvt_f32_u32_e32 v0, v1",
                [](u32 a, u32, u32) { return bits(static_cast<float>(a)); });
    check_lanes("v_cvt_f32_ubyte0_e32 v0, v1",
                [](u32 a, u32, u32) { return bits(static_cast<float>(byte(a, 0))); });
    check_lanes("v_cvt_f32_ubyte2_e32 v0, v1",
                [](u32 a, u32, u32) { return bits(static_cast<float>(byte(a, 2))); });
    check_lanes("v_cvt_f32_ubyte3_e32 v0, v1",
                [](u32 a, u32, u32) { return bits(static_cast<float>(byte(a, 3))); });
    check_lanes(
        "v_min_f32_e32 v0, v1, v2",
        [](u32 a, u32 b, u32) {
            return number(a) == number(b) ? a | b : bits(std::fmin(number(a), number(b)));
        },
        true);
}

TEST_CASE("values move between lanes, scalars and accumulators") {
    OneWave one;
    prepared(one);
    run(one, "v_readlane_b32 s4, v1, 9");
    CHECK(one.wave.s[4] == first(9));
    one.wave.set_scalar64(kExec, 0xff00);
    run(one, "v_readfirstlane_b32 s5, v2");
    CHECK(one.wave.s[5] == second(8));
    one.wave.s[6] = 77;
    run(one, "v_writelane_b32 v0, s6, 3");
    CHECK(one.wave.v[0].lane[3] == 77);
    CHECK(one.wave.v[0].lane[8] == 0xdeadbeef);
    one.wave.set_scalar64(kExec, ~u64{0});
    run(one, "v_accvgpr_write_b32 a3, v1");
    run(one, "v_accvgpr_read_b32 v12, a3");
    CHECK(one.wave.v[12].lane[40] == first(40));
    run(one, "v_accvgpr_mov_b32 a5, a3");
    run(one, "v_accvgpr_read_b32 v12, a5");
    CHECK(one.wave.v[12].lane[41] == first(41));
    run(one, "v_swap_b32 v1, v2");
    CHECK(one.wave.v[1].lane[7] == second(7));
    CHECK(one.wave.v[2].lane[7] == first(7));
    one.wave.s[8] = 0x0f0f0f0f;
    one.wave.s[9] = ~0U;
    run(one, "v_mbcnt_lo_u32_b32 v13, s8, 5");
    run(one, "v_mbcnt_hi_u32_b32 v13, s9, v13");
    CHECK(one.wave.v[13].lane[0] == 5);
    CHECK(one.wave.v[13].lane[10] == 5 + 6);
    CHECK(one.wave.v[13].lane[34] == 5 + 16 + 2);
}
