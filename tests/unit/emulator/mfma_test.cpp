#include "isa/table.hpp"
#include "one_instruction.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

// Bit-for-bit comparison with MMA-Sim's model of CDNA 3. Where an element of a matrix is in the
// registers is AMD's layout, written down here once more, as formulas over lanes.

using namespace kbuild::emulator;

namespace {

struct Case {
    std::string name;
    u32 m = 0, n = 0, k = 0;
    std::vector<u32> a, b, c, d;
};

std::vector<Case> read_cases() {
    const auto bytes =
        kbuild::support::read_file(KBUILD_SOURCE_DIR "/tests/emulator/oracle/mfma_vectors.bin");
    REQUIRE(bytes);
    std::vector<Case> cases;
    std::size_t at = 0;
    const auto words = [&](std::size_t count) {
        std::vector<u32> out(count);
        std::memcpy(out.data(), bytes->data() + at, 4 * count);
        at += 4 * count;
        return out;
    };
    while (at < bytes->size()) {
        Case one;
        one.name = bytes->substr(at, 32).c_str();
        at += 32;
        const auto sizes = words(3);
        one.m = sizes[0];
        one.n = sizes[1];
        one.k = sizes[2];
        one.a = words(std::size_t{one.m} * one.k);
        one.b = words(std::size_t{one.k} * one.n);
        one.c = words(std::size_t{one.m} * one.n);
        one.d = words(std::size_t{one.m} * one.n);
        cases.push_back(std::move(one));
    }
    return cases;
}

u32 element_bits(const std::string& name) {
    return name.find("fp8") != std::string::npos || name.find("bf8") != std::string::npos ? 8
           : name.ends_with("f16")                                                        ? 16
                                                                                          : 32;
}

constexpr u32 kA = 32;
constexpr u32 kB = 40;
constexpr u32 kC = 64;

/// Lane l holds row (or column) l % size and K elements per * (l / size) + j; with 4 x 4 blocks
/// every block gets the same matrices.
void put_operands(OneWave& one, const Case& c) {
    const u32 bits = element_bits(c.name);
    const u32 per = c.m == 4 ? c.k : c.k * c.m / 64;
    for (u32 lane = 0; lane < 64; ++lane)
        for (u32 j = 0; j < per; ++j) {
            const u32 line = lane % c.m;
            const u32 k = c.m == 4 ? j : per * (lane / c.m) + j;
            const u32 word = j * bits / 32;
            const u32 shift = j * bits % 32;
            one.wave.v[kA + word].lane[lane] |= c.a[line * c.k + k] << shift;
            one.wave.v[kB + word].lane[lane] |= c.b[k * c.n + line] << shift;
        }
}

struct Spot {
    u32 word, lane;
};

/// Where D[i][n] is (gemm.md 4.1 has the same formulas).
Spot place(u32 size, u32 i, u32 n, u32 block) {
    if (size == 32)
        return {4 * (i / 8) + i % 4, 32 * (i / 4 % 2) + n};
    if (size == 16)
        return {i % 4, 16 * (i / 4) + n};
    return {i, 4 * block + n};
}

Instruction instruction(const Row& row) {
    Instruction in;
    in.row = &row;
    in.run = row.run;
    in.operands = 4;
    const u16 first[] = {0, kA, kB, kC};
    for (u32 i = 0; i < 4; ++i) {
        in.operand[i].place = Place::vector;
        in.operand[i].index = first[i];
        in.operand[i].words = static_cast<u8>(words_of(row.operands[i].type));
    }
    return in;
}

bool is_nan(u32 bits) {
    return std::isnan(std::bit_cast<float>(bits));
}

/// The NaN codes of the 8-bit formats.
bool line_holds_nan(const Case& c, u32 i, u32 n) {
    if (element_bits(c.name) != 8)
        return false;
    if (is_nan(c.c[i * c.n + n]))
        return true;
    for (u32 k = 0; k < c.k; ++k)
        if (c.a[i * c.k + k] == 0x80 || c.b[k * c.n + n] == 0x80)
            return true;
    return false;
}

/// NaNs compare equal. MMA-Sim loses a NaN of the first 16 elements of K where the second 16 are
/// much larger (it compares the exponent of NaN, which means nothing); that is no statement about
/// the hardware.
bool same(const Case& c, u32 i, u32 n, u32 got) {
    const u32 want = c.d[i * c.n + n];
    return got == want || (is_nan(got) && (is_nan(want) || line_holds_nan(c, i, n)));
}

} // namespace

TEST_CASE("matrix instructions give MMA-Sim's bits") {
    for (const auto& c : read_cases()) {
        const Row* const row = find_row(c.name);
        INFO(c.name);
        REQUIRE(row != nullptr);
        OneWave one;
        put_operands(one, c);
        const u32 blocks = c.m == 4 ? 16 : 1;
        for (u32 block = 0; block < blocks; ++block)
            for (u32 i = 0; i < c.m; ++i)
                for (u32 n = 0; n < c.n; ++n) {
                    const auto at = place(c.m, i, n, block);
                    one.wave.v[kC + at.word].lane[at.lane] = c.c[i * c.n + n];
                }
        const Instruction in = instruction(*row);
        in.run(one.wave, in);
        instructions_seen().insert(c.name);
        u32 wrong = 0;
        for (u32 block = 0; block < blocks; ++block)
            for (u32 i = 0; i < c.m; ++i)
                for (u32 n = 0; n < c.n; ++n) {
                    const auto at = place(c.m, i, n, block);
                    const u32 got = one.wave.v[at.word].lane[at.lane];
                    if (!same(c, i, n, got) && wrong++ < 3)
                        UNSCOPED_INFO(fmt::format("D[{}][{}]: {:08x}, MMA-Sim has {:08x}, C {:08x}",
                                                  i,
                                                  n,
                                                  got,
                                                  c.d[i * c.n + n],
                                                  c.c[i * c.n + n]));
                }
        CHECK(wrong == 0);
    }
}

TEST_CASE("a matrix instruction with a broadcast control stops the wave instead of guessing") {
    OneWave one;
    Instruction in = instruction(*find_row("v_mfma_f32_4x4x4_16b_f16"));
    in.cbsz = 1;
    in.run(one.wave, in);
    CHECK(one.wave.failure != nullptr);
}
