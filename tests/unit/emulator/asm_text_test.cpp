#include "decode/asm_text.hpp"
#include "decode/decoder.hpp"
#include "decode/operand_text.hpp"
#include "machine/wave.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::emulator;

namespace {
constexpr RegisterFile kRegisters{128, 192};
}

TEST_CASE("a line of assembler has operands and modifiers") {
    const auto line = split_asm("v_add_u32_sdwa v0, sext(v1), v2 dst_sel:WORD_1 "
                                "dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1");
    CHECK(line.mnemonic == "v_add_u32_sdwa");
    CHECK(line.operands == std::vector<std::string>{"v0", "sext(v1)", "v2"});
    CHECK(modifier(line, "dst_sel") == "WORD_1");
    CHECK_FALSE(modifier(line, "src1_sel"));
    const auto load = split_asm("global_load_dword v0, v1, s[2:3] offset:-16 sc0 nt sc1");
    CHECK(load.operands == std::vector<std::string>{"v0", "v1", "s[2:3]"});
    CHECK(has_modifier(load, "sc0"));
    const auto dpp =
        split_asm("v_mov_b32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
    CHECK(number_list(*modifier(dpp, "quad_perm")) == std::vector<u32>{1, 0, 3, 2});
}

TEST_CASE("constants have the bits that their operand's type gives them") {
    CHECK(parse_operand("1.0", Type::f32, kRegisters)->value == 0x3f800000);
    CHECK(parse_operand("1.0", Type::f16, kRegisters)->value == 0x3c00);
    CHECK(parse_operand("1.0", Type::f64, kRegisters)->value == 0x3ff0000000000000);
    CHECK(parse_operand("0x40300000", Type::f64, kRegisters)->value == 0x4030000000000000);
    CHECK(parse_operand("-4", Type::b64, kRegisters)->value == 0xfffffffffffffffc);
    CHECK(parse_operand("0.15915494", Type::f32, kRegisters)->value == 0x3e22f983);
}

TEST_CASE("registers are named by number, range and role") {
    const auto pair = parse_operand("v[4:5]", Type::b64, kRegisters);
    CHECK((pair->place == Place::vector && pair->index == 4 && pair->words == 2));
    CHECK(parse_operand("a3", Type::b32, kRegisters)->index == 131);
    CHECK(parse_operand("vcc", Type::mask, kRegisters)->index == kVcc);
    const auto changed = parse_operand("-|v3|", Type::f32, kRegisters);
    CHECK((changed->absolute && changed->negate == 1 && changed->index == 3));
    CHECK_FALSE(parse_operand("v200", Type::b32, kRegisters));
    CHECK_FALSE(parse_operand("nonsense", Type::b32, kRegisters));
}

TEST_CASE("what is not modelled is refused by name") {
    const auto unknown = decode("v_frobnicate_b32 v0, v1", 0, kRegisters);
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().message.find("v_frobnicate_b32") != std::string::npos);
    CHECK_FALSE(decode("buffer_load_dword v1, s[0:3], 0 offen lds", 0, kRegisters));
    CHECK_FALSE(decode("v_mad_u32_u24 v0, v1, v2, v3 clamp", 0, kRegisters));
    CHECK_FALSE(decode("v_mov_b64_e32 v0, v[2:3]", 0, kRegisters));
    CHECK(decode("v_add_u32_e64 v0, v1, v2 clamp", 0, kRegisters));
}
