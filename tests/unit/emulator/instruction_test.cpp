#include "one_instruction.hpp"

#include <functional>
#include <limits>

// Single instructions against the ISA's formulas, lane by lane, on numbers that include the edges.

using namespace kbuild::emulator;

TEST_CASE("integer instructions follow the ISA's formulas") {
    check_lanes("v_add_u32_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return a + b; });
    check_lanes("v_sub_u32_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return a - b; });
    check_lanes("v_subrev_u32_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return b - a; });
    check_lanes("v_add_u32_e64 v0, v1, v2 clamp",
                [](u32 a, u32 b, u32) { return a + b < a ? ~0U : a + b; });
    check_lanes("v_and_b32_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return a & b; });
    check_lanes("v_or_b32_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return a | b; });
    check_lanes("v_xor_b32_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return a ^ b; });
    check_lanes("v_not_b32_e32 v0, v1", [](u32 a, u32, u32) { return ~a; });
    check_lanes("v_bfi_b32 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); });
    check_lanes("v_and_or_b32 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) { return (a & b) | c; });
    check_lanes("v_add3_u32 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) { return a + b + c; });
    check_lanes("v_lshl_add_u32 v0, v1, v2, v3",
                [](u32 a, u32 b, u32 c) { return (a << b % 32) + c; });
    check_lanes("v_lshlrev_b32_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return b << a % 32; });
    check_lanes("v_lshrrev_b32_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return b >> a % 32; });
    check_lanes("v_ashrrev_i32_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return static_cast<u32>(static_cast<i32>(b) >> a % 32); });
    check_lanes("v_mul_lo_u32 v0, v1, v2", [](u32 a, u32 b, u32) { return a * b; });
    check_lanes("v_mul_hi_u32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return static_cast<u32>(u64{a} * b >> 32U); });
    check_lanes("v_mul_hi_i32 v0, v1, v2", [](u32 a, u32 b, u32) {
        return static_cast<u32>(i64{static_cast<i32>(a)} * static_cast<i32>(b) >> 32);
    });
    check_lanes("v_mul_u32_u24_e32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return (a & 0xffffffU) * (b & 0xffffffU); });
    check_lanes("v_min_i32_e32 v0, v1, v2", [](u32 a, u32 b, u32) {
        return static_cast<i32>(a) < static_cast<i32>(b) ? a : b;
    });
    check_lanes("v_max_u32_e32 v0, v1, v2", [](u32 a, u32 b, u32) { return a > b ? a : b; });
    check_lanes("v_alignbit_b32 v0, v1, v2, v3", [](u32 a, u32 b, u32 c) {
        return static_cast<u32>((u64{a} << 32U | b) >> c % 32);
    });
    check_lanes("v_bfe_u32 v0, v1, 4, 9", [](u32 a, u32, u32) { return a >> 4U & 0x1ffU; });
    check_lanes("v_bfe_i32 v0, v1, 4, 9",
                [](u32 a, u32, u32) { return static_cast<u32>(static_cast<i32>(a << 19U) >> 23); });
    check_lanes("v_bcnt_u32_b32 v0, v1, v2",
                [](u32 a, u32 b, u32) { return static_cast<u32>(std::popcount(a)) + b; });
    check_lanes("v_cvt_f32_ubyte1_e32 v0, v1",
                [](u32 a, u32, u32) { return bits(static_cast<float>(a >> 8U & 0xffU)); });
}

TEST_CASE("v_perm_b32 selects bytes, constants and signs") {
    OneWave one;
    prepared(one);
    for (u32 lane = 0; lane < kLanes; ++lane) {
        one.wave.v[1].lane[lane] = 0x87654321;
        one.wave.v[2].lane[lane] = 0x0fedcba9;
    }
    one.wave.s[4] = 0x0c0d0800; // 0, 0xff, sign of the second source's low half, its byte 0
    run(one, "v_perm_b32 v0, v1, v2, s4");
    CHECK(one.wave.v[0].lane[5] == 0x00ffffa9);
    one.wave.s[4] = 0x07060100;
    run(one, "v_perm_b32 v0, v1, v2, s4");
    CHECK(one.wave.v[0].lane[5] == 0x8765cba9);
}

TEST_CASE("fp32 instructions are IEEE's, with the sign and size modifiers") {
    check_lanes(
        "v_add_f32_e32 v0, v1, v2",
        [](u32 a, u32 b, u32) { return bits(number(a) + number(b)); },
        true);
    check_lanes(
        "v_mul_f32_e64 v0, -v1, |v2|",
        [](u32 a, u32 b, u32) { return bits(-number(a) * std::fabs(number(b))); },
        true);
    check_lanes(
        "v_fma_f32 v0, v1, v2, -v3",
        [](u32 a, u32 b, u32 c) { return bits(std::fma(number(a), number(b), -number(c))); },
        true);
    check_lanes(
        "v_add_f32_e64 v0, v1, v2 mul:2",
        [](u32 a, u32 b, u32) { return bits((number(a) + number(b)) * 2.0F); },
        true);
    check_lanes("v_add_f32_e64 v0, v1, v2 clamp", [](u32 a, u32 b, u32) {
        const float sum = number(a) + number(b);
        return bits(sum > 0.0F ? std::fmin(sum, 1.0F) : 0.0F);
    });
    check_lanes(
        "v_max_f32_e32 v0, v1, v2",
        [](u32 a, u32 b, u32) {
            if (number(a) == number(b))
                return a & b; // +0 is the larger zero
            return bits(std::fmax(number(a), number(b)));
        },
        true);
    check_lanes(
        "v_trunc_f32_e32 v0, v1",
        [](u32 a, u32, u32) { return bits(std::trunc(number(a))); },
        true);
    check_lanes(
        "v_rndne_f32_e32 v0, v1",
        [](u32 a, u32, u32) { return bits(std::nearbyint(number(a))); },
        true);
}

TEST_CASE("conversions to integers saturate, NaN gives 0") {
    check_lanes("v_cvt_i32_f32_e32 v0, v1", [](u32 a, u32, u32) -> u32 {
        const double value = static_cast<double>(number(a));
        if (std::isnan(value))
            return 0;
        return static_cast<u32>(
            static_cast<i32>(std::fmax(std::fmin(value, 2147483647.0), -2147483648.0)));
    });
    check_lanes("v_cvt_u32_f32_e32 v0, v1", [](u32 a, u32, u32) -> u32 {
        const double value = static_cast<double>(number(a));
        return std::isnan(value) ? 0
                                 : static_cast<u32>(std::fmax(std::fmin(value, 4294967295.0), 0.0));
    });
}

TEST_CASE("lanes that EXEC turns off keep their registers") {
    OneWave one;
    prepared(one).wave.set_scalar64(kExec, 0x00000000ffff0001);
    run(one, "v_mov_b32_e32 v0, v1");
    for (u32 lane = 0; lane < kLanes; ++lane) {
        const bool on = lane == 0 || (lane >= 16 && lane < 32);
        CHECK(one.wave.v[0].lane[lane] == (on ? first(lane) : 0xdeadbeef));
    }
    one.wave.set_scalar64(kExec, 0);
    run(one, "v_cmp_eq_u32_e32 vcc, v1, v1");
    CHECK(one.wave.vcc() == 0);
}

TEST_CASE("SDWA takes and writes parts of registers") {
    check_lanes("v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 "
                "src1_sel:WORD_1",
                [](u32 a, u32 b, u32) { return (a >> 8U & 0xffU) + (b >> 16U); });
    check_lanes("v_add_u32_sdwa v0, sext(v1), v2 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE "
                "src0_sel:BYTE_0 src1_sel:DWORD",
                [](u32 a, u32 b, u32) {
                    return 0xde00beefU | ((static_cast<u32>(static_cast<i8>(a)) + b) & 0xffU)
                                             << 16U;
                });
}

TEST_CASE("DPP moves values between lanes") {
    const auto moved = [](const std::string& control, u32 lane) {
        OneWave one;
        run(prepared(one), "v_mov_b32_dpp v0, v1 " + control + " row_mask:0xf bank_mask:0xf");
        return one.wave.v[0].lane[lane];
    };
    CHECK(moved("quad_perm:[1,0,3,2]", 4) == first(5));
    CHECK(moved("row_shr:1", 5) == first(4));
    CHECK(moved("row_shr:1", 16) == 0xdeadbeef);
    CHECK(moved("row_shl:2", 5) == first(7));
    CHECK(moved("row_ror:3", 1) == first(14));
    CHECK(moved("row_mirror", 17) == first(30));
    CHECK(moved("row_half_mirror", 9) == first(14));
    CHECK(moved("row_bcast:15", 20) == first(15));
    CHECK(moved("row_bcast:31", 40) == first(31));
    CHECK(moved("row_newbcast:3", 37) == first(35));
    CHECK(moved("wave_shr:1", 16) == first(15));
}

TEST_CASE("16-bit instructions clear the upper half, or keep it where the ISA says so") {
    OneWave one;
    prepared(one);
    for (u32 lane = 0; lane < kLanes; ++lane) {
        one.wave.v[1].lane[lane] = 0x40003c00; // 2.0, 1.0
        one.wave.v[2].lane[lane] = 0x42003800; // 3.0, 0.5
    }
    run(one, "v_add_f16_e32 v0, v1, v2");
    CHECK(one.wave.v[0].lane[9] == 0x00003e00); // 1.5
    run(one, "v_pk_add_f16 v0, v1, v2");
    CHECK(one.wave.v[0].lane[9] == 0x45003e00); // 5.0, 1.5
    run(one, "v_pk_add_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1] neg_hi:[0,1]");
    CHECK(one.wave.v[0].lane[9] == 0xc0004100); // 1.0 - 3.0, 2.0 + 0.5
    run(one, "v_fma_f16 v0, v1, v2, v2 op_sel:[1,0,0,1]");
    CHECK(one.wave.v[0].lane[9] == 0x3e004100); // 2.0 * 0.5 + 0.5 in the upper half
}

TEST_CASE("fp8 conversions round to nearest even and know no infinity") {
    OneWave one;
    const auto code = [&one](float value) {
        for (u32 lane = 0; lane < kLanes; ++lane)
            one.wave.v[1].lane[lane] = bits(value);
        run(one, "v_cvt_pk_fp8_f32 v0, v1, v1");
        return one.wave.v[0].lane[0] & 0xffU;
    };
    CHECK(code(0.0F) == 0x00);
    CHECK(code(-0.0F) == 0x00);
    CHECK(code(1.0F) == 0x40);
    CHECK(code(240.0F) == 0x7f);
    CHECK(code(247.99F) == 0x7f);
    CHECK(code(248.0F) == 0x80);
    CHECK(code(std::numeric_limits<float>::infinity()) == 0x80);
    CHECK(code(0x1p-11F) == 0x00);
    CHECK(code(0x1.8p-11F) == 0x01);
    CHECK(code(-0x1p-10F) == 0x81);
    one.wave.mode |= 1U << 23U; // FP16_OVFL
    CHECK(code(1000.0F) == 0x7f);
    CHECK(code(-1000.0F) == 0xff);
    for (u32 byte = 0; byte < 256; ++byte) {
        for (u32 lane = 0; lane < kLanes; ++lane)
            one.wave.v[1].lane[lane] = byte << 8U;
        run(one, "v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_1");
        const float got = number(one.wave.v[0].lane[0]);
        const auto exponent = static_cast<int>(byte >> 3U & 15U);
        const auto mantissa = static_cast<float>(byte & 7U);
        const float size =
            exponent == 0 ? std::ldexp(mantissa, -10) : std::ldexp(8.0F + mantissa, exponent - 11);
        CHECK((byte == 0x80 ? std::isnan(got) : got == (byte >= 0x80 ? -size : size)));
    }
}

TEST_CASE("scalar instructions set SCC as the ISA says") {
    OneWave one;
    const auto scalar = [&one](const std::string& text, u32 a, u32 b) {
        one.wave.s[1] = a;
        one.wave.s[2] = b;
        run(one, text);
        return std::pair(one.wave.s[0], one.wave.scc());
    };
    CHECK(scalar("s_add_u32 s0, s1, s2", 0xffffffff, 2) == std::pair(1U, true));
    CHECK(scalar("s_addc_u32 s0, s1, s2", 5, 6) == std::pair(12U, false));
    CHECK(scalar("s_sub_i32 s0, s1, s2", 0x80000000, 1) == std::pair(0x7fffffffU, true));
    CHECK(scalar("s_bfe_u32 s0, s1, s2", 0xabcd1234, 8 | 12 << 16) == std::pair(0xd12U, true));
    CHECK(scalar("s_lshr_b32 s0, s1, s2", 1, 1) == std::pair(0U, false));
    CHECK(scalar("s_flbit_i32 s0, s1", 0xffffffff, 0).first == 0xffffffff);
    CHECK(scalar("s_ff1_i32_b32 s0, s1", 0x50, 0).first == 4);
    one.wave.s[0] = 8;
    CHECK(scalar("s_bitset1_b32 s0, s2", 0, 5).first == 40);
    CHECK(scalar("s_movk_i32 s0, 0xff80", 0, 0).first == 0xffffff80);
}

TEST_CASE("EXEC is saved and narrowed by one instruction") {
    OneWave one;
    one.wave.set_scalar64(kExec, 0xff);
    one.wave.set_scalar64(4, 0x0f0f);
    run(one, "s_and_saveexec_b64 s[2:3], s[4:5]");
    CHECK(one.wave.exec() == 0x0f);
    CHECK(one.wave.scalar64(2) == 0xff);
    CHECK(one.wave.scc());
}

TEST_CASE("LDS reads, writes, atomics and permutes") {
    OneWave one;
    prepared(one);
    for (u32 lane = 0; lane < kLanes; ++lane)
        one.wave.v[4].lane[lane] = lane * 8;
    run(one, "ds_write2_b32 v4, v1, v2 offset1:1");
    run(one, "ds_read_b64 v[8:9], v4");
    CHECK(one.wave.v[8].lane[7] == first(7));
    CHECK(one.wave.v[9].lane[7] == second(7));
    for (u32 lane = 0; lane < kLanes; ++lane)
        one.wave.v[5].lane[lane] = 1;
    for (u32 lane = 0; lane < kLanes; ++lane)
        one.wave.v[4].lane[lane] = 0;
    run(one, "ds_write_b32 v4, v4");
    run(one, "ds_add_rtn_u32 v6, v4, v5");
    CHECK(one.wave.v[6].lane[10] == 10);
    for (u32 lane = 0; lane < kLanes; ++lane)
        one.wave.v[4].lane[lane] = 4 * (63 - lane);
    run(one, "ds_bpermute_b32 v0, v4, v1");
    CHECK(one.wave.v[0].lane[3] == first(60));
    run(one, "ds_permute_b32 v0, v4, v1");
    CHECK(one.wave.v[0].lane[3] == first(60));
}

TEST_CASE("the division helpers make a correctly rounded quotient") {
    // The sequence that compilers emit for a / b.
    const float pairs[][2] = {{1.0F, 3.0F},
                              {1e38F, 1e-3F},
                              {1e-38F, 1e3F},
                              {5.0F, 0.0F},
                              {0.0F, 0.0F},
                              {-7.5F, 2.5F},
                              {1e-40F, 3.0F},
                              {3.0F, 1e-40F},
                              {1e30F, 7e37F}};
    for (const auto& [a, b] : pairs) {
        OneWave one;
        for (u32 lane = 0; lane < kLanes; ++lane) {
            one.wave.v[1].lane[lane] = bits(a);
            one.wave.v[2].lane[lane] = bits(b);
        }
        run(one, "v_div_scale_f32 v3, s[0:1], v2, v2, v1");
        run(one, "v_div_scale_f32 v4, vcc, v1, v2, v1");
        run(one, "v_rcp_f32_e32 v5, v3");
        run(one, "v_fma_f32 v6, -v3, v5, 1.0");
        run(one, "v_fmac_f32_e32 v5, v6, v5");
        run(one, "v_mul_f32_e32 v6, v4, v5");
        run(one, "v_fma_f32 v7, -v3, v6, v4");
        run(one, "v_fmac_f32_e32 v6, v7, v5");
        run(one, "v_fma_f32 v3, -v3, v6, v4");
        run(one, "v_div_fmas_f32 v3, v3, v5, v6");
        run(one, "v_div_fixup_f32 v0, v3, v2, v1");
        INFO(a << " / " << b);
        CHECK(same_number(one.wave.v[0].lane[0], bits(a / b)));
    }
}
