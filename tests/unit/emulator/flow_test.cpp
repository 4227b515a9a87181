#include "one_instruction.hpp"

#include <cstring>

// Branches, waits, scalar loads, bit counts and constants of scalar instructions.

using namespace kbuild::emulator;

namespace {

/// Whether a conditional branch is taken by a wave.
bool is_taken(OneWave& one, const std::string& text) {
    Instruction in = decoded(text);
    instructions_seen().emplace(in.row->name);
    in.target = 77;
    one.wave.pc = 5;
    in.run(one.wave, in);
    REQUIRE((one.wave.pc == 5 || one.wave.pc == 77));
    return one.wave.pc == 77;
}

/// Results of `text` on s[2:3], in s[0:1].
u64 scalar(const std::string& text, u64 a, u64 old = 0, bool scc = false) {
    OneWave one;
    one.wave.set_scalar64(0, old);
    one.wave.set_scalar64(2, a);
    one.wave.set_scc(scc);
    run(one, text);
    return one.wave.scalar64(0);
}

bool scc_after(const std::string& text, u64 a, u64 b) {
    OneWave one;
    one.wave.set_scalar64(2, a);
    one.wave.set_scalar64(4, b);
    run(one, text);
    return one.wave.scc();
}

} // namespace

TEST_CASE("branches look at what their names say") {
    for (const bool on : {false, true}) {
        OneWave one;
        one.wave.set_scc(on);
        one.wave.set_scalar64(kVcc, on ? u64{1} << 40U : 0);
        one.wave.set_scalar64(kExec, on ? u64{1} << 40U : 0);
        CHECK(is_taken(one, "s_branch 4"));
        CHECK(is_taken(one, "s_cbranch_scc1 4") == on);
        CHECK(is_taken(one, "s_cbranch_scc0 4") != on);
        CHECK(is_taken(one, "s_cbranch_vccnz 4") == on);
        CHECK(is_taken(one, "s_cbranch_vccz 4") != on);
        CHECK(is_taken(one, "s_cbranch_execnz 4") == on);
        CHECK(is_taken(one, "s_cbranch_execz 4") != on);
    }
}

TEST_CASE("the end, barriers, and what changes nothing but time") {
    OneWave one;
    prepared(one);
    const Wave before = one.wave;
    for (const char* const text : {"s_nop 3",
                                   "s_waitcnt vmcnt(0)",
                                   "s_setprio 1",
                                   "s_sleep 1",
                                   "s_icache_inv",
                                   "s_dcache_wb",
                                   "s_dcache_inv",
                                   "buffer_wbl2 sc1",
                                   "buffer_inv sc1",
                                   "v_nop"}) {
        run(one, text);
        INFO(text);
        CHECK(std::memcmp(before.s, one.wave.s, sizeof before.s) == 0);
        CHECK(one.wave.pc == before.pc);
        CHECK_FALSE(one.wave.done);
        CHECK_FALSE(one.wave.waiting);
    }
    run(one, "s_barrier");
    CHECK(one.wave.waiting);
    run(one, "s_endpgm");
    CHECK(one.wave.done);
}

TEST_CASE("scalar loads fill as many registers as they name") {
    std::array<u32, 32> memory{};
    for (u32 i = 0; i < memory.size(); ++i)
        memory[i] = 0x1000 + i;
    for (const u32 words : {1U, 2U, 4U, 8U, 16U}) {
        OneWave one;
        one.wave.set_scalar64(2, reinterpret_cast<u64>(memory.data()));
        one.wave.s[4] = 12;
        const std::string suffix = words == 1 ? "" : "x" + std::to_string(words);
        const std::string to = words == 1 ? "s16" : "s[16:" + std::to_string(15 + words) + "]";
        run(one, "s_load_dword" + suffix + " " + to + ", s[2:3], 0x8");
        for (u32 i = 0; i < words; ++i)
            CHECK(one.wave.s[16 + i] == memory[2 + i]);
        CHECK(one.wave.s[16 + words] == 0);
        run(one, "s_load_dword" + suffix + " " + to + ", s[2:3], s4");
        for (u32 i = 0; i < words; ++i)
            CHECK(one.wave.s[16 + i] == memory[3 + i]);
    }
}

TEST_CASE("bits are counted, found, set and tested") {
    for (u32 i = 0; i < 24 * 24; ++i) {
        const u64 a = edge(i) | u64{edge(i / 24)} << 32U;
        const auto low = static_cast<u32>(a);
        INFO(std::hex << a);
        const auto bit = [](int count, u32 size) {
            return count == static_cast<int>(size) ? ~0U : static_cast<u32>(count);
        };
        CHECK(scalar("s_bcnt1_i32_b64 s0, s[2:3]", a) == static_cast<u32>(std::popcount(a)));
        CHECK(scalar("s_bcnt0_i32_b64 s0, s[2:3]", a) == static_cast<u32>(std::popcount(~a)));
        CHECK(scalar("s_ff1_i32_b32 s0, s2", a) == bit(std::countr_zero(low), 32));
        CHECK(scalar("s_ff0_i32_b32 s0, s2", a) == bit(std::countr_zero(~low), 32));
        CHECK(scalar("s_ff1_i32_b64 s0, s[2:3]", a) == bit(std::countr_zero(a), 64));
        CHECK(scalar("s_ff0_i32_b64 s0, s[2:3]", a) == bit(std::countr_zero(~a), 64));
        CHECK(scalar("s_flbit_i32_b32 s0, s2", a) == bit(std::countl_zero(low), 32));
        CHECK(scalar("s_flbit_i32_b64 s0, s[2:3]", a) == bit(std::countl_zero(a), 64));
        CHECK(scalar("s_bitset1_b32 s0, s2", a, 0xf0f0) == (0xf0f0U | 1U << low % 32));
        CHECK(scalar("s_bitset0_b32 s0, s2", a, 0xf0f0) == (0xf0f0U & ~(1U << low % 32)));
        CHECK(scalar("s_bitset1_b64 s[0:1], s2", a, 0xf0f0) == (0xf0f0U | u64{1} << low % 64));
        CHECK(scalar("s_bitset0_b64 s[0:1], s2", a, ~u64{0}) == ~(u64{1} << low % 64));
        CHECK(scc_after("s_bitcmp1_b32 s2, s4", a, i) == ((low >> i % 32 & 1U) != 0));
        CHECK(scc_after("s_bitcmp0_b32 s2, s4", a, i) == ((low >> i % 32 & 1U) == 0));
        CHECK(scc_after("s_bitcmp1_b64 s[2:3], s4", a, i) == ((a >> i % 64 & 1U) != 0));
        CHECK(scc_after("s_bitcmp0_b64 s[2:3], s4", a, i) == ((a >> i % 64 & 1U) == 0));
    }
}

TEST_CASE("literals of 16 bits have a sign, moves and choices depend on SCC") {
    CHECK(scalar("s_addk_i32 s0, 0xffff", 0, 7) == 6);
    CHECK(scalar("s_mulk_i32 s0, 0xfffe", 0, 7) == static_cast<u32>(-14));
    for (const bool scc : {false, true}) {
        CHECK(scalar("s_cmov_b32 s0, s2", 5, 9, scc) == (scc ? 5U : 9U));
        CHECK(scalar("s_cmov_b64 s[0:1], s[2:3]", ~u64{5}, 9, scc) == (scc ? ~u64{5} : 9U));
        CHECK(scalar("s_cmovk_i32 s0, 0xfff0", 5, 9, scc) == (scc ? static_cast<u32>(-16) : 9U));
        CHECK(scalar("s_cselect_b64 s[0:1], s[2:3], 0", ~u64{5}, 9, scc) == (scc ? ~u64{5} : 0U));
    }
    CHECK(scalar("s_bfe_i32 s0, s2, 0x80004", 0x0f80) == static_cast<u32>(-8));
    CHECK(scalar("s_bfe_u64 s[0:1], s[2:3], 0x100020", 0x1234567800000000) == 0x5678);
    CHECK(scalar("s_bfe_i64 s[0:1], s[2:3], 0x100020", 0x1234967800000000) ==
          static_cast<u64>(i64{static_cast<i16>(0x9678)}));
    CHECK(scalar("s_brev_b64 s[0:1], s[2:3]", 5) == 0xa000000000000000);
}
