#pragma once

#include "decode/decoder.hpp"
#include "one_wave.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>

// What tests of single instructions share: values with the edges of all types among them, and one
// instruction run on a wave.

namespace kbuild::emulator {

inline constexpr std::array<u32, 24> kEdges = {
    0,          1,          2,          0x7f,       0x80,       0xff,       0x7fff,     0x8000,
    0xffff,     0x00800000, 0x007fffff, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x7f800000, 0xff800000,
    0x7fc00000, 0x80000000, 0x7fffffff, 0xffffffff, 0x4f000000, 0x3c003c00, 0x00000001, 0xc2f6e979,
};

inline u32 edge(u32 i) {
    return kEdges[i % kEdges.size()];
}
/// Lane by lane, pairs of all edges with one another.
inline u32 first(u32 lane) {
    return edge(lane);
}
inline u32 second(u32 lane) {
    return edge(lane * 7 + lane / 24 + 3);
}
inline u32 third(u32 lane) {
    return edge(lane * 5 + 1) ^ lane;
}

inline float number(u32 bits) {
    return std::bit_cast<float>(bits);
}
inline u32 bits(float value) {
    return std::bit_cast<u32>(value);
}

/// The texts that tests decode, each with the immediate that it was given;
/// tests/emulator/assemble_texts puts them before clang.
inline std::map<std::string, u32>& texts_seen() {
    static std::map<std::string, u32> texts;
    return texts;
}

/// `immediate`: the low 16 bits of the encoding, which fields without stable text are read from.
inline Instruction decoded(const std::string& text, u32 immediate = 0) {
    texts_seen().emplace(text, immediate);
    auto in = decode(text, immediate, RegisterFile{128, 192});
    INFO(text);
    REQUIRE(in);
    return std::move(*in);
}

/// The instructions whose results tests have looked at (coverage_test.cpp).
inline std::set<std::string>& instructions_seen() {
    static std::set<std::string> names;
    return names;
}

inline void run(OneWave& one, const std::string& text, u32 immediate = 0) {
    const Instruction in = decoded(text, immediate);
    instructions_seen().emplace(in.row->name);
    in.run(one.wave, in);
    INFO(text);
    REQUIRE(one.wave.failure == nullptr);
}

/// v1 to v3 hold first(), second() and third(), v0 an old result.
inline OneWave& prepared(OneWave& one) {
    for (u32 lane = 0; lane < kLanes; ++lane) {
        one.wave.v[0].lane[lane] = 0xdeadbeef;
        one.wave.v[1].lane[lane] = first(lane);
        one.wave.v[2].lane[lane] = second(lane);
        one.wave.v[3].lane[lane] = third(lane);
    }
    return one;
}

inline bool same_number(u32 got, u32 want) {
    return got == want || (std::isnan(number(got)) && std::isnan(number(want)));
}

using Formula = std::function<u32(u32, u32, u32)>;

inline void check_lanes(const std::string& text, const Formula& formula, bool numbers = false) {
    OneWave one;
    run(prepared(one), text);
    for (u32 lane = 0; lane < kLanes; ++lane) {
        const u32 got = one.wave.v[0].lane[lane];
        const u32 want = formula(first(lane), second(lane), third(lane));
        INFO(text << " lane " << lane << std::hex << ": " << first(lane) << ", " << second(lane)
                  << ", " << third(lane) << " gives " << got << ", not " << want);
        CHECK((numbers ? same_number(got, want) : got == want));
    }
}

/// The 64-bit value of a register pair.
inline u64 pair_of(const OneWave& one, u32 index, u32 lane) {
    return one.wave.v[index].lane[lane] | u64{one.wave.v[index + 1].lane[lane]} << 32U;
}

} // namespace kbuild::emulator
