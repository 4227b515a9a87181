#include "one_instruction.hpp"
#include "reference_float.hpp"

#include <algorithm>

// Packed halves and pairs, and the multiply-add that mixes sizes.

using namespace kbuild::emulator;

namespace {

constexpr u64 kPartly = 0xff00aaaa0000fff1;

constexpr std::array<u32, 20> kHalves = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3bff, 0x3c00,
                                         0xbc00, 0x3c01, 0x4248, 0xd640, 0x7bff, 0xfbff, 0x7c00,
                                         0xfc00, 0x7e00, 0xfe01, 0x7c01, 0xfd00, 0x3555};

u32 pair(u32 lane, u32 step) {
    return kHalves[lane * step % kHalves.size()] |
           kHalves[(lane + lane / 20 * 3 + step) % kHalves.size()] << 16U;
}

struct Choice {
    u32 low[2], high[2];         ///< halves of the two sources
    u32 negate_low, negate_high; ///< bit i: source i
    const char* text;
};
constexpr Choice kChoices[] = {
    {{0, 0}, {1, 1}, 0, 0, ""},
    {{1, 0}, {0, 1}, 0, 0, " op_sel:[1,0] op_sel_hi:[0,1]"},
    {{0, 1}, {1, 0}, 1, 2, " op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[1,0] neg_hi:[0,1]"},
    {{0, 0}, {1, 1}, 3, 3, " neg_lo:[1,1] neg_hi:[1,1]"}};

u64 smaller(u64 a, u64 b) {
    if (signaling_in(kF16, a) || signaling_in(kF16, b))
        return kF16.infinity() | kF16.quiet();
    if (nan_in(kF16, a) || nan_in(kF16, b))
        return nan_in(kF16, a) ? b : a;
    if (zero_in(kF16, a) && zero_in(kF16, b))
        return a | b;
    return value_in(kF16, a) < value_in(kF16, b) ? a : b;
}
u64 larger(u64 a, u64 b) {
    const u64 size = smaller(a ^ kF16.sign(), b ^ kF16.sign());
    return nan_in(kF16, size) ? size : size ^ kF16.sign();
}

/// A source of v_fma_mix: all of the register, or one of its halves.
float mixed_source(u32 word, u32 op_sel, u32 op_sel_hi) {
    if (op_sel_hi == 0)
        return number(word);
    const u32 half = op_sel != 0 ? word >> 16U : word & 0xffffU;
    return number(static_cast<u32>(rounded_to(kF32, value_in(kF16, half))));
}

struct Mix {
    u32 op_sel[3], op_sel_hi[3];
    const char* text;
};
constexpr Mix kMixes[] = {
    {{0, 0, 0}, {0, 0, 0}, ""},
    {{0, 0, 0}, {1, 1, 1}, " op_sel_hi:[1,1,1]"},
    {{1, 0, 1}, {1, 1, 1}, " op_sel:[1,0,1] op_sel_hi:[1,1,1]"},
    {{0, 1, 0}, {1, 1, 0}, " op_sel:[0,1,0] op_sel_hi:[1,1,0]"},
};

} // namespace

TEST_CASE("the smaller and the larger of two halves at a time, from either half, with signs") {
    for (const std::string name : {"min", "max"})
        for (const auto& c : kChoices)
            for (const u64 exec : {~u64{0}, kPartly}) {
                OneWave one;
                for (u32 lane = 0; lane < kLanes; ++lane) {
                    one.wave.v[0].lane[lane] = 0xdeadbeef;
                    one.wave.v[1].lane[lane] = pair(lane, 1);
                    one.wave.v[2].lane[lane] = pair(lane, 7);
                }
                one.wave.set_scalar64(kExec, exec);
                run(one, "v_pk_" + name + "_f16 v0, v1, v2" + c.text);
                for (u32 lane = 0; lane < kLanes; ++lane) {
                    const u32 words[2] = {pair(lane, 1), pair(lane, 7)};
                    const auto half = [&](u32 source, bool high) {
                        const u32 which = high ? c.high[source] : c.low[source];
                        const u32 sign = (high ? c.negate_high : c.negate_low) >> source & 1U;
                        return (words[source] >> 16 * which & 0xffffU) ^ sign << 15U;
                    };
                    const u32 got = one.wave.v[0].lane[lane];
                    INFO(name << c.text << " lane " << lane << std::hex << ": " << got);
                    if ((exec >> lane & 1U) == 0) {
                        CHECK(got == 0xdeadbeef);
                        continue;
                    }
                    for (const bool high : {false, true}) {
                        const u64 want = name == "min" ? smaller(half(0, high), half(1, high))
                                                       : larger(half(0, high), half(1, high));
                        CHECK(same_code(kF16, got >> (high ? 16 : 0) & 0xffffU, want));
                    }
                }
            }
}

TEST_CASE("v_pk_mov_b32 takes a word of each source") {
    const std::pair<const char*, std::array<u32, 2>> cases[] = {
        {"", {0, 0}},
        {" op_sel:[1,0]", {1, 0}},
        {" op_sel:[0,1]", {0, 1}},
        {" op_sel:[1,1]", {1, 1}},
    };
    for (const auto& [text, words] : cases) {
        OneWave one;
        prepared(one).wave.set_scalar64(kExec, kPartly);
        for (u32 lane = 0; lane < kLanes; ++lane)
            for (u32 i = 0; i < 4; ++i)
                one.wave.v[2 + i].lane[lane] = edge(lane + 3 * i);
        run(one, std::string("v_pk_mov_b32 v[8:9], v[2:3], v[4:5]") + text);
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const bool on = (kPartly >> lane & 1U) != 0;
            INFO(text << " lane " << lane);
            CHECK(one.wave.v[8].lane[lane] == (on ? edge(lane + 3 * words[0]) : 0U));
            CHECK(one.wave.v[9].lane[lane] == (on ? edge(lane + 3 * (2 + words[1])) : 0U));
        }
    }
    OneWave one;
    one.wave.s[6] = 11;
    one.wave.s[7] = 22;
    run(one, "v_pk_mov_b32 v[8:9], s[6:7], s[6:7] op_sel:[0,1]");
    CHECK(one.wave.v[8].lane[3] == 11);
    CHECK(one.wave.v[9].lane[3] == 22);
}

TEST_CASE("the mixed multiply-add takes floats and halves, and makes either") {
    for (const auto& mix : kMixes)
        for (u32 round = 0; round < 4; ++round) {
            OneWave one;
            std::array<std::array<u32, kLanes>, 3> words{};
            for (u32 i = 0; i < 3; ++i)
                for (u32 lane = 0; lane < kLanes; ++lane) {
                    words[i][lane] = mix.op_sel_hi[i] != 0 ? pair(lane + round, 2 * i + 1)
                                                           : edge(lane * (i + 1) + round);
                    one.wave.v[1 + i].lane[lane] = words[i][lane];
                }
            for (u32 row = 8; row < 11; ++row)
                for (u32 lane = 0; lane < kLanes; ++lane)
                    one.wave.v[row].lane[lane] = 0xdeadbeef;
            one.wave.set_scalar64(kExec, kPartly);
            const std::string sources = std::string(", v1, v2, v3") + mix.text;
            run(one, "v_fma_mix_f32 v8" + sources);
            run(one, "v_fma_mixlo_f16 v9" + sources);
            run(one, "v_fma_mixhi_f16 v10" + sources);
            for (u32 lane = 0; lane < kLanes; ++lane) {
                const auto at = [&](u32 i) {
                    return mixed_source(words[i][lane], mix.op_sel[i], mix.op_sel_hi[i]);
                };
                const u32 want = bits(std::fma(at(0), at(1), at(2)));
                const auto half = static_cast<u32>(rounded_to(kF16, value_in(kF32, want)));
                INFO(sources << " lane " << lane << std::hex << ": " << one.wave.v[8].lane[lane]
                             << ", not " << want);
                if ((kPartly >> lane & 1U) == 0) {
                    CHECK(one.wave.v[8].lane[lane] == 0xdeadbeef);
                    CHECK(one.wave.v[9].lane[lane] == 0xdeadbeef);
                    continue;
                }
                CHECK(same_code(kF32, one.wave.v[8].lane[lane], want));
                CHECK(same_code(kF16, one.wave.v[9].lane[lane], half));
                CHECK(one.wave.v[9].lane[lane] >> 16U == 0xdead);
                CHECK(same_code(kF16, one.wave.v[10].lane[lane] >> 16U, half));
                CHECK((one.wave.v[10].lane[lane] & 0xffffU) == 0xbeef);
            }
        }
}

TEST_CASE("the mixed multiply-add changes signs and clamps") {
    OneWave one;
    prepared(one);
    run(one, "v_fma_mix_f32 v8, -v1, |v2|, -|v3|");
    run(one, "v_fma_mix_f32 v9, v1, v2, v3 clamp");
    for (u32 lane = 0; lane < kLanes; ++lane) {
        const float a = number(first(lane));
        const float b = number(second(lane));
        const float c = number(third(lane));
        const float sum = std::fma(a, b, c);
        INFO("lane " << lane);
        CHECK(
            same_number(one.wave.v[8].lane[lane], bits(std::fma(-a, std::fabs(b), -std::fabs(c)))));
        CHECK(one.wave.v[9].lane[lane] == (sum > 0 ? bits(std::min(sum, 1.0F)) : 0U));
    }
}
