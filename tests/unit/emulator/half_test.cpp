#include "one_instruction.hpp"

#include <algorithm>

// Half precision against the host compiler's _Float16, and two floats at a time.

using namespace kbuild::emulator;

namespace {

using Half = _Float16;

Half half(u32 word) {
    return std::bit_cast<Half>(static_cast<u16>(word));
}
u32 word(Half value) {
    return std::bit_cast<u16>(value);
}
bool same(u32 got, u32 want) {
    const auto is_nan = [](u32 bits) { return (bits & 0x7fffU) > 0x7c00U; };
    return got == want || (is_nan(got) && is_nan(want));
}

u32 operand(u32 lane, u32 step) {
    static constexpr u32 kHalves[] = {0,
                                      0x8000,
                                      1,
                                      0x3ff,
                                      0x400,
                                      0x3c00,
                                      0xbc00,
                                      0x3555,
                                      0x7bff,
                                      0x7c00,
                                      0xfc00,
                                      0x7e00,
                                      0xc248,
                                      0x5640,
                                      0x3800,
                                      0x1};
    return kHalves[lane * step % 16] | kHalves[(lane + step) % 16] << 16U;
}

using HalfFormula = Half (*)(Half, Half, Half);

void check_halves(const std::string& text, HalfFormula formula, bool packed) {
    OneWave one;
    for (u32 lane = 0; lane < kLanes; ++lane)
        for (u32 i = 0; i < 3; ++i)
            one.wave.v[1 + i].lane[lane] = operand(lane + lane / 16, 2 * i + 1);
    std::array<Register, 3> sources{};
    std::copy_n(one.wave.v + 1, 3, sources.begin());
    run(one, text);
    for (u32 lane = 0; lane < kLanes; ++lane)
        for (u32 shift = 0; shift <= (packed ? 16U : 0U); shift += 16) {
            const auto at = [&](u32 i) { return half(sources[i].lane[lane] >> shift); };
            const u32 got = one.wave.v[0].lane[lane] >> shift & 0xffffU;
            const u32 want = word(formula(at(0), at(1), at(2)));
            INFO(text << " lane " << lane << std::hex << " gives " << got << ", not " << want);
            CHECK(same(got, want));
        }
}

Half fused(Half a, Half b, Half c) {
    return static_cast<Half>(
        std::fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
}

using PairFormula = float (*)(float, float, float);

void check_float_pairs(const std::string& text, PairFormula formula) {
    OneWave one;
    for (u32 lane = 0; lane < kLanes; ++lane)
        for (u32 i = 0; i < 6; ++i)
            one.wave.v[2 + i].lane[lane] = edge(lane * (i + 1) + i);
    std::array<Register, 6> sources{};
    std::copy_n(one.wave.v + 2, 6, sources.begin());
    run(one, text);
    for (u32 lane = 0; lane < kLanes; ++lane)
        for (u32 i = 0; i < 2; ++i) {
            const auto at = [&](u32 source) { return number(sources[2 * source + i].lane[lane]); };
            const u32 want = bits(formula(at(0), at(1), at(2)));
            INFO(text << " lane " << lane << " half " << i);
            CHECK(same_number(one.wave.v[8 + i].lane[lane], want));
        }
}

} // namespace

TEST_CASE("half-precision sums and products are rounded once") {
    check_halves(
        "v_add_f16_e32 v0, v1, v2",
        [](Half a, Half b, Half) { return static_cast<Half>(a + b); },
        false);
    check_halves(
        "v_sub_f16_e32 v0, v1, v2",
        [](Half a, Half b, Half) { return static_cast<Half>(a - b); },
        false);
    check_halves(
        "v_subrev_f16_e32 v0, v1, v2",
        [](Half a, Half b, Half) { return static_cast<Half>(b - a); },
        false);
    check_halves(
        "v_mul_f16_e32 v0, v1, v2",
        [](Half a, Half b, Half) { return static_cast<Half>(a * b); },
        false);
    check_halves(
        "v_pk_add_f16 v0, v1, v2",
        [](Half a, Half b, Half) { return static_cast<Half>(a + b); },
        true);
    check_halves(
        "v_pk_mul_f16 v0, v1, v2",
        [](Half a, Half b, Half) { return static_cast<Half>(a * b); },
        true);
    check_halves("v_fma_f16 v0, v1, v2, v3", &fused, false);
    check_halves("v_pk_fma_f16 v0, v1, v2, v3", &fused, true);
}

TEST_CASE("half-precision values are rounded to whole numbers") {
    const auto whole = [](const std::string& text, HalfFormula formula) {
        check_halves(text, formula, false);
    };
    whole("v_floor_f16_e32 v0, v1",
          [](Half a, Half, Half) { return static_cast<Half>(std::floor(static_cast<float>(a))); });
    whole("v_ceil_f16_e32 v0, v1",
          [](Half a, Half, Half) { return static_cast<Half>(std::ceil(static_cast<float>(a))); });
    whole("v_trunc_f16_e32 v0, v1",
          [](Half a, Half, Half) { return static_cast<Half>(std::trunc(static_cast<float>(a))); });
    whole("v_rndne_f16_e32 v0, v1", [](Half a, Half, Half) {
        return static_cast<Half>(std::nearbyint(static_cast<float>(a)));
    });
}

TEST_CASE("floats become halves and come back") {
    OneWave one;
    run(prepared(one), "v_cvt_f16_f32_e32 v0, v1");
    for (u32 lane = 0; lane < kLanes; ++lane)
        CHECK(same(one.wave.v[0].lane[lane], word(static_cast<Half>(number(first(lane))))));
    check_lanes(
        "v_cvt_f32_f16_e32 v0, v1",
        [](u32 a, u32, u32) { return bits(static_cast<float>(half(a))); },
        true);
}

TEST_CASE("two floats at a time, each rounded by itself") {
    check_float_pairs("v_pk_add_f32 v[8:9], v[2:3], v[4:5]",
                      [](float a, float b, float) { return a + b; });
    check_float_pairs("v_pk_mul_f32 v[8:9], v[2:3], v[4:5]",
                      [](float a, float b, float) { return a * b; });
    check_float_pairs("v_pk_fma_f32 v[8:9], v[2:3], v[4:5], v[6:7]",
                      [](float a, float b, float c) { return std::fma(a, b, c); });
    check_lanes(
        "v_fmamk_f32 v0, v1, 0x40490fdb, v2",
        [](u32 a, u32 b, u32) { return bits(std::fma(number(a), number(0x40490fdb), number(b))); },
        true);
    check_lanes(
        "v_fmaak_f32 v0, v1, v2, 0x40490fdb",
        [](u32 a, u32 b, u32) { return bits(std::fma(number(a), number(b), number(0x40490fdb))); },
        true);
}

TEST_CASE("approximations of one operand are within the ISA's bounds") {
    const auto within = [](const std::string& text, double (*f)(double), double ulps) {
        OneWave one;
        for (u32 lane = 0; lane < kLanes; ++lane)
            one.wave.v[1].lane[lane] = bits(
                std::ldexp(1.0F + static_cast<float>(lane) / 64.0F, static_cast<int>(lane) - 32));
        run(one, text);
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const double want = f(static_cast<double>(number(one.wave.v[1].lane[lane])));
            const double got = static_cast<double>(number(one.wave.v[0].lane[lane]));
            INFO(text << " lane " << lane << ": " << got << ", not " << want);
            const bool overflows = want > 3.4028235e38 && std::isinf(got);
            CHECK((overflows ||
                   std::fabs(got - want) <= ulps * std::ldexp(std::fabs(want), -23) + 0x1p-126));
        }
    };
    within("v_rcp_f32_e32 v0, v1", [](double x) { return 1 / x; }, 1);
    within("v_rcp_iflag_f32_e32 v0, v1", [](double x) { return 1 / x; }, 1);
    within("v_rsq_f32_e32 v0, v1", [](double x) { return 1 / std::sqrt(x); }, 1);
    within("v_sqrt_f32_e32 v0, v1", [](double x) { return std::sqrt(x); }, 1);
    within("v_exp_f32_e32 v0, v1", [](double x) { return std::exp2(x); }, 1);
    within("v_log_f32_e32 v0, v1", [](double x) { return std::log2(x); }, 2);
}
