#include "checks/hazards.hpp"
#include "checks/races.hpp"
#include "checks/waits.hpp"
#include "decode/decoder.hpp"
#include "one_wave.hpp"

#include <catch2/catch.hpp>

#include <list>

using namespace kbuild::emulator;

namespace {

/// Feeds lines of assembler to one check and collects what it finds.
class Lines {
  public:
    /// s_nop and s_waitcnt are decoded from their encoding, so the number is given beside the text.
    const Instruction& line(const std::string& text, u32 immediate = 0) {
        auto in = decode(text, immediate, RegisterFile{128, 192});
        REQUIRE(in);
        in->address = 4 * ++count_;
        kept_.push_back(std::move(*in));
        return kept_.back();
    }
    std::size_t waits(const std::string& text, u32 immediate = 0) {
        const auto& in = line(text, immediate);
        const Reporter report{log, group, 0, in};
        wait.before(one.wave, in, &report);
        return log.take().size();
    }
    std::size_t hazards(const std::string& text, u32 immediate = 0) {
        const auto& in = line(text, immediate);
        hazard.before(one.wave, in, Reporter{log, group, 0, in});
        return log.take().size();
    }

    FindingLog log{"kernel", 0};
    std::array<u32, 3> group{};
    OneWave one;
    Waits wait{192, 128};
    Hazards hazard{192, 128};

  private:
    u64 count_ = 0;
    std::list<Instruction> kept_;
};

// Encodings: vmcnt in bits 3:0 and 15:14, expcnt 6:4, lgkmcnt 11:8.
constexpr u32 vmcnt(u32 n) {
    return (n & 15U) | (n >> 4U) << 14U | 0x0f70U;
}
constexpr u32 lgkmcnt(u32 n) {
    return 0xc07fU | n << 8U;
}

} // namespace

TEST_CASE("a load's result is there after the wait that covers it") {
    Lines lines;
    CHECK(lines.waits("global_load_dword v1, v0, s[2:3]") == 0);
    CHECK(lines.waits("global_load_dword v2, v0, s[2:3] offset:4") == 0);
    CHECK(lines.waits("s_waitcnt vmcnt(1)", vmcnt(1)) == 0);
    CHECK(lines.waits("v_add_u32_e32 v3, v1, v1") == 0);
    CHECK(lines.waits("v_add_u32_e32 v3, v2, v2") == 1);
    CHECK(lines.waits("v_add_u32_e32 v3, v2, v2") == 0); // said once
}

TEST_CASE("scalar loads return in any order, LDS reads in their own") {
    Lines lines;
    lines.waits("s_load_dword s4, s[0:1], 0x0");
    lines.waits("ds_read_b32 v1, v0");
    lines.waits("ds_read_b32 v2, v0 offset:4");
    lines.waits("s_waitcnt lgkmcnt(1)", lgkmcnt(1));
    CHECK(lines.waits("v_mov_b32_e32 v3, v1") == 0);
    CHECK(lines.waits("v_mov_b32_e32 v3, v2") == 1);
    CHECK(lines.waits("s_add_u32 s5, s4, s4") == 1);
    lines.waits("s_load_dword s4, s[0:1], 0x0");
    lines.waits("s_waitcnt lgkmcnt(0)", lgkmcnt(0));
    CHECK(lines.waits("s_add_u32 s5, s4, s4") == 0);
}

TEST_CASE("a result that is still to come must not be overwritten") {
    Lines lines;
    lines.waits("global_load_dword v1, v0, s[2:3]");
    CHECK(lines.waits("global_load_dword v1, v0, s[2:3]") == 0); // in order
    CHECK(lines.waits("v_mov_b32_e32 v1, 0") == 1);
}

TEST_CASE("an MFMA's result needs wait states, except as the next one's C") {
    Lines lines;
    CHECK(lines.hazards("v_mfma_f32_32x32x16_fp8_fp8 v[0:15], v[16:17], v[18:19], v[0:15]") == 0);
    CHECK(lines.hazards("v_mfma_f32_32x32x16_fp8_fp8 v[0:15], v[16:17], v[18:19], v[0:15]") == 0);
    lines.hazards("s_nop 7", 7);
    lines.hazards("s_nop 1", 1);
    CHECK(lines.hazards("v_add_f32_e32 v40, v0, v0") == 1); // 10 of 11
    lines.hazards("v_mfma_f32_32x32x16_fp8_fp8 v[0:15], v[16:17], v[18:19], v[0:15]");
    lines.hazards("s_nop 7", 7);
    lines.hazards("s_nop 2", 2);
    CHECK(lines.hazards("v_add_f32_e32 v40, v0, v0") == 0);
}

TEST_CASE("an SGPR that a VALU instruction wrote needs wait states before it is read") {
    Lines lines;
    lines.hazards("v_readfirstlane_b32 s4, v0");
    lines.hazards("s_nop 3", 3);
    CHECK(lines.hazards("global_load_dword v1, v0, s[4:5]") == 1); // 4 of 5
    lines.hazards("v_cmp_lt_u32_e64 s[6:7], v0, v1");
    CHECK(lines.hazards("v_cndmask_b32_e64 v2, v0, v1, s[6:7]") == 1);
    lines.hazards("v_cmp_lt_u32_e64 s[6:7], v0, v1");
    lines.hazards("s_nop 1", 1);
    CHECK(lines.hazards("v_cndmask_b32_e64 v2, v0, v1, s[6:7]") == 0);
}

TEST_CASE("DPP reads a register two wait states after it was written") {
    Lines lines;
    lines.hazards("v_mov_b32_e32 v1, v0");
    CHECK(lines.hazards("v_mov_b32_dpp v2, v1 row_shr:1 row_mask:0xf bank_mask:0xf") == 1);
    lines.hazards("v_mov_b32_e32 v1, v0");
    lines.hazards("s_nop 1", 1);
    CHECK(lines.hazards("v_mov_b32_dpp v2, v1 row_shr:1 row_mask:0xf bank_mask:0xf") == 0);
}

TEST_CASE("waves that touch the same LDS byte need a barrier between them") {
    Lines lines;
    Races races(2, 64);
    races.begin_group();
    std::vector<Waits> waits(2, Waits(192, 128));
    std::vector<Wave> waves(2);
    const auto touch = [&](u32 wave, bool write, u64 address) {
        const auto& in = lines.line(write ? "ds_write_b32 v0, v1" : "ds_read_b32 v1, v0");
        Wave& w = lines.one.wave;
        w.number = wave;
        w.access.space = Space::lds;
        w.access.write = write;
        w.access.read = !write;
        w.access.atomic = false;
        w.access.bytes = 4;
        w.access.parts = 1;
        w.access.mask = 1;
        w.access.address[0] = address;
        races.access(w, waits[wave], Reporter{lines.log, lines.group, wave, in});
        return lines.log.take().size();
    };
    CHECK(touch(0, true, 0) == 0);
    CHECK(touch(0, false, 0) == 0);
    CHECK(touch(1, true, 8) == 0);
    CHECK(touch(1, false, 0) == 1);
    for (auto& w : waves)
        w.waiting = true;
    for (u32 i = 0; i < 2; ++i)
        waits[i].before(waves[i], lines.line("s_waitcnt lgkmcnt(0)", lgkmcnt(0)), nullptr);
    races.barrier(waits, waves);
    CHECK(touch(1, false, 8) == 0);
    CHECK(touch(0, false, 8) == 0);
    CHECK(touch(0, true, 8) == 1);
}
