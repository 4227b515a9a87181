#include "one_instruction.hpp"

#include <cstring>

// Calls, hardware registers, relative registers, buffers of scalars, and instructions that only
// caches and clocks would notice.

using namespace kbuild::emulator;

namespace {

/// Remembers where a wave was sent.
class Travelling : public OneWave {
  public:
    bool jump(Wave&, u64 address) override {
        target = address;
        return true;
    }
    u64 target = 0;
};

/// Runs an instruction that is at an address.
void run_at(Travelling& one, const std::string& text, u64 address, u32 immediate = 0) {
    Instruction in = decoded(text, immediate);
    in.address = address;
    in.size = 4;
    instructions_seen().emplace(in.row->name);
    in.run(one.wave, in);
    REQUIRE(one.wave.failure == nullptr);
}

/// s[0:1] after an instruction that reads s[2:3].
u64 scalar(const std::string& text, u64 a) {
    OneWave one;
    one.wave.set_scalar64(2, a);
    run(one, text);
    return one.wave.scalar64(0);
}

} // namespace

TEST_CASE("jumps and calls go to the address, and leave the one behind them") {
    Travelling one;
    run_at(one, "s_getpc_b64 s[0:1]", 0x7f0000001000);
    CHECK(one.wave.scalar64(0) == 0x7f0000001004);
    one.wave.set_scalar64(4, 0x7f0000002340);
    run_at(one, "s_setpc_b64 s[4:5]", 0x1000);
    CHECK(one.target == 0x7f0000002340);
    one.wave.set_scalar64(4, 0x7f00000055c0);
    run_at(one, "s_swappc_b64 s[30:31], s[4:5]", 0x2000);
    CHECK(one.target == 0x7f00000055c0);
    CHECK(one.wave.scalar64(30) == 0x2004);
    // The register that holds the target gets the way back.
    one.wave.set_scalar64(6, 0x9000);
    run_at(one, "s_swappc_b64 s[6:7], s[6:7]", 0x3000);
    CHECK(one.target == 0x9000);
    CHECK(one.wave.scalar64(6) == 0x3004);
    run_at(one, "s_call_b64 s[8:9], 16", 0x4000, 16);
    CHECK(one.wave.scalar64(8) == 0x4004);
    CHECK(one.target == 0x4004 + 4 * 16);
    run_at(one, "s_call_b64 s[8:9], 65532", 0x4000, 0xfffc);
    CHECK(one.target == 0x4004 - 4 * 4);
}

TEST_CASE("a jump to where no code is stops the wave, and so does a trap") {
    for (const std::string text : {"s_setpc_b64 s[4:5]", "s_trap 2"}) {
        OneWave one;
        const Instruction in = decoded(text);
        instructions_seen().emplace(in.row->name);
        in.run(one.wave, in);
        INFO(text);
        CHECK(one.wave.failure != nullptr);
    }
}

TEST_CASE("fields of MODE are read and written where hwreg() says") {
    constexpr u32 mode = 1;
    const auto field = [](u32 id, u32 offset, u32 size) {
        return id | offset << 6U | (size - 1) << 11U;
    };
    OneWave one;
    one.wave.mode = 0x3f5a10f3;
    run(one, "s_getreg_b32 s0, hwreg(HW_REG_MODE)", field(mode, 0, 32));
    CHECK(one.wave.s[0] == 0x3f5a10f3);
    run(one, "s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 4)", field(mode, 4, 4));
    CHECK(one.wave.s[0] == 0xf);
    run(one, "s_getreg_b32 s0, hwreg(HW_REG_MODE, 12, 13)", field(mode, 12, 13));
    CHECK(one.wave.s[0] == (0x3f5a10f3U >> 12U & 0x1fffU));
    one.wave.s[4] = 0xffffff05;
    run(one, "s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s4", field(mode, 4, 4));
    CHECK(one.wave.mode == 0x3f5a1053);
    run(one, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 0", field(mode, 23, 1));
    CHECK(one.wave.mode == (0x3f5a1053U & ~(1U << 23U)));
    run(one, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 12", field(mode, 0, 4));
    CHECK((one.wave.mode & 0xffU) == 0x5c);
    // Everything runs on the first unit of the first die.
    one.wave.s[0] = 77;
    run(one, "s_getreg_b32 s0, hwreg(HW_REG_HW_ID)", field(4, 0, 32));
    CHECK(one.wave.s[0] == 0);
    one.wave.s[0] = 77;
    run(one, "s_getreg_b32 s0, hwreg(HW_REG_XCC_ID)", field(20, 0, 32));
    CHECK(one.wave.s[0] == 0);
    const Instruction unknown = decoded("s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)", field(3, 0, 32));
    unknown.run(one.wave, unknown);
    CHECK(one.wave.failure != nullptr);
}

TEST_CASE("scalar registers are found relative to M0") {
    OneWave one;
    for (u32 i = 0; i < 40; ++i)
        one.wave.s[i] = 100 + i;
    one.wave.s[kM0] = 10;
    run(one, "s_movrels_b32 s5, s7");
    CHECK(one.wave.s[5] == 117);
    run(one, "s_movrels_b64 s[2:3], s[8:9]");
    CHECK(one.wave.s[2] == 118);
    CHECK(one.wave.s[3] == 119);
    run(one, "s_movreld_b32 s5, s7");
    CHECK(one.wave.s[15] == 107);
    CHECK(one.wave.s[5] == 117);
    run(one, "s_movreld_b64 s[20:21], s[8:9]");
    CHECK(one.wave.s[30] == 108);
    CHECK(one.wave.s[31] == 109);
    CHECK(one.wave.s[20] == 120);
}

TEST_CASE("index mode: its bits and the index are in M0 too") {
    OneWave one;
    one.wave.s[kM0] = 0xabcd0f00;
    one.wave.s[4] = 0xffffff07;
    run(one, "s_set_gpr_idx_on s4, gpr_idx(SRC0,DST)", 0x0904);
    CHECK(one.wave.index_mode == 9);
    CHECK(one.wave.gpr_index == 7);
    CHECK(one.wave.s[kM0] == 0xabcd9f07);
    one.wave.s[5] = 3;
    run(one, "s_set_gpr_idx_idx s5");
    CHECK(one.wave.gpr_index == 3);
    CHECK(one.wave.s[kM0] == 0xabcd9f03);
    run(one, "s_set_gpr_idx_off");
    CHECK(one.wave.index_mode == 0);
}

TEST_CASE("EXEC and a scalar get the lanes of one mask that are on or off in the other") {
    struct Case {
        const char* text;
        u64 (*result)(u64 source, u64 exec);
    };
    const Case cases[] = {
        {"s_andn1_wrexec_b64 s[2:3], s[4:5]", [](u64 a, u64 e) { return ~a & e; }},
        {"s_andn2_wrexec_b64 s[2:3], s[4:5]", [](u64 a, u64 e) { return a & ~e; }},
    };
    for (const auto& one_case : cases)
        for (const u64 exec : {u64{0}, ~u64{0}, u64{0x00ff00ff0f0f3355}})
            for (const u64 source : {u64{0}, ~u64{0}, u64{0x123456789abcdef0}}) {
                OneWave one;
                one.wave.set_scalar64(kExec, exec);
                one.wave.set_scalar64(4, source);
                run(one, one_case.text);
                const u64 want = one_case.result(source, exec);
                INFO(one_case.text << std::hex << " " << source << ", " << exec);
                CHECK(one.wave.exec() == want);
                CHECK(one.wave.scalar64(2) == want);
                CHECK(one.wave.scc() == (want != 0));
            }
}

TEST_CASE("bits are spread, doubled, gathered and counted") {
    for (u32 i = 0; i < 24 * 24; ++i) {
        const u64 a = edge(i) | u64{edge(i / 24)} << 32U;
        u64 whole = 0;
        u64 gathered = 0;
        for (u32 quad = 0; quad < 16; ++quad)
            if ((a >> 4 * quad & 15U) != 0) {
                whole |= u64{15} << 4 * quad;
                gathered |= u64{1} << quad;
            }
        u64 doubled = 0;
        for (u32 bit = 0; bit < 32; ++bit)
            doubled |= (a >> bit & 1U) << 2 * bit | (a >> bit & 1U) << (2 * bit + 1);
        u32 sign_bits = ~0U;
        for (u32 bit = 1; bit < 64 && sign_bits == ~0U; ++bit)
            if ((a >> (63 - bit) & 1U) != a >> 63U)
                sign_bits = bit;
        INFO(std::hex << a);
        CHECK(scalar("s_wqm_b64 s[0:1], s[2:3]", a) == whole);
        CHECK(scalar("s_quadmask_b64 s[0:1], s[2:3]", a) == gathered);
        CHECK(scalar("s_bitreplicate_b64_b32 s[0:1], s2", a) == doubled);
        CHECK(scalar("s_flbit_i32_i64 s0, s[2:3]", a) == sign_bits);
        CHECK(scalar("s_bfm_b64 s[0:1], s2, s3", a) == ((u64{1} << a % 64) - 1) << (a >> 32U) % 64);
    }
    OneWave one;
    one.wave.set_scc(true);
    run(one, "s_wqm_b64 s[0:1], s[2:3]");
    CHECK_FALSE(one.wave.scc());
    one.wave.s[3] = 1;
    run(one, "s_quadmask_b64 s[0:1], s[2:3]");
    CHECK(one.wave.scc());
}

TEST_CASE("buffers of scalars read 0 behind their end") {
    std::array<u32, 32> memory{};
    for (u32 i = 0; i < memory.size(); ++i)
        memory[i] = 0x1000 + i;
    const auto described = [&](OneWave& one, u32 stride, u32 records) {
        one.wave.set_scalar64(4, reinterpret_cast<u64>(memory.data()));
        one.wave.s[5] |= stride << 16U;
        one.wave.s[6] = records;
        for (u32 i = 16; i < 40; ++i)
            one.wave.s[i] = 7;
    };
    for (const u32 words : {1U, 2U, 4U, 8U, 16U}) {
        const std::string name =
            "s_buffer_load_dword" + (words == 1 ? "" : "x" + std::to_string(words)) +
            (words == 1 ? " s16" : " s[16:" + std::to_string(15 + words) + "]") + ", s[4:7], ";
        const auto check =
            [&](const std::string& offset, u32 soffset, u32 first, u32 size, u32 stride) {
                OneWave one;
                described(one, stride, size);
                one.wave.s[9] = soffset;
                run(one, name + offset);
                const u32 bytes = size * (stride == 0 ? 1 : stride);
                for (u32 i = 0; i < words; ++i) {
                    INFO(name << offset << " word " << i);
                    CHECK(one.wave.s[16 + i] ==
                          (4 * (first + i) + 4 <= bytes ? memory[first + i] : 0U));
                }
                CHECK(one.wave.s[16 + words] == 7);
            };
        check("0x0", 0, 0, 128, 0);
        check("0x8", 0, 2, 128, 0);
        check("s9", 12, 3, 128, 0);
        check("0x8", 0, 2, 8, 16); // 8 records of 16 bytes
        check("0x0", 0, 0, 4 * words, 0);
        check("0x10", 0, 4, 16, 0);
        if (words > 1)
            check("0x0", 0, 0, 4 * words - 4, 0);
    }
}

TEST_CASE("clocks count on; caches change nothing") {
    OneWave one;
    prepared(one);
    one.group.clock = 0x123456789a;
    run(one, "s_memtime s[0:1]");
    run(one, "s_memrealtime s[2:3]");
    CHECK(one.wave.scalar64(0) == 0x123456789a);
    CHECK(one.wave.scalar64(2) == 0x123456789a);
    const Wave before = one.wave;
    for (const char* const text : {"s_dcache_inv_vol", "s_dcache_wb_vol"}) {
        run(one, text);
        INFO(text);
        CHECK(std::memcmp(before.s, one.wave.s, sizeof before.s) == 0);
    }
}
