#include "one_instruction.hpp"

#include <algorithm>

// Scalar instructions: result and SCC, for all pairs of edges.

using namespace kbuild::emulator;

namespace {

/// What an instruction leaves in SCC.
enum class Scc { kept, not_zero };

i32 s(u32 value) {
    return static_cast<i32>(value);
}

using Formula32 = std::function<u32(u32, u32)>;
using Formula64 = std::function<u64(u64, u64)>;

/// `name s0, s2, s4` or, with one source, `name s0, s2`.
void check32(const std::string& name, const Formula32& formula, Scc scc, bool unary = false) {
    for (u32 i = 0; i < 24 * 24; ++i) {
        OneWave one;
        const u32 a = edge(i);
        const u32 b = edge(i / 24);
        one.wave.s[2] = a;
        one.wave.s[4] = b;
        one.wave.set_scc(i % 2 != 0);
        run(one, name + (unary ? " s0, s2" : " s0, s2, s4"));
        INFO(name << std::hex << " " << a << ", " << b);
        CHECK(one.wave.s[0] == formula(a, b));
        CHECK(one.wave.scc() == (scc == Scc::kept ? i % 2 != 0 : formula(a, b) != 0));
    }
}

void check64(const std::string& text, const Formula64& formula, Scc scc) {
    for (u32 i = 0; i < 24 * 24; ++i) {
        OneWave one;
        const u64 a = edge(i) | u64{edge(i + 7)} << 32U;
        const u64 b = edge(i / 24) | u64{edge(i / 24 + 5)} << 32U;
        one.wave.set_scalar64(2, a);
        one.wave.set_scalar64(4, b);
        one.wave.set_scc(i % 2 != 0);
        run(one, text);
        INFO(text << std::hex << " " << a << ", " << b);
        CHECK(one.wave.scalar64(0) == formula(a, b));
        CHECK(one.wave.scc() == (scc == Scc::kept ? i % 2 != 0 : formula(a, b) != 0));
    }
}

} // namespace

TEST_CASE("scalar logic and shifts of 32 bits") {
    check32("s_and_b32", [](u32 a, u32 b) { return a & b; }, Scc::not_zero);
    check32("s_or_b32", [](u32 a, u32 b) { return a | b; }, Scc::not_zero);
    check32("s_xor_b32", [](u32 a, u32 b) { return a ^ b; }, Scc::not_zero);
    check32("s_nand_b32", [](u32 a, u32 b) { return ~(a & b); }, Scc::not_zero);
    check32("s_nor_b32", [](u32 a, u32 b) { return ~(a | b); }, Scc::not_zero);
    check32("s_xnor_b32", [](u32 a, u32 b) { return ~(a ^ b); }, Scc::not_zero);
    check32("s_andn2_b32", [](u32 a, u32 b) { return a & ~b; }, Scc::not_zero);
    check32("s_orn2_b32", [](u32 a, u32 b) { return a | ~b; }, Scc::not_zero);
    check32("s_not_b32", [](u32 a, u32) { return ~a; }, Scc::not_zero, true);
    check32("s_lshl_b32", [](u32 a, u32 b) { return a << b % 32; }, Scc::not_zero);
    check32(
        "s_ashr_i32", [](u32 a, u32 b) { return static_cast<u32>(s(a) >> b % 32); }, Scc::not_zero);
    check32("s_bfm_b32", [](u32 a, u32 b) { return ((1U << a % 32) - 1) << b % 32; }, Scc::kept);
    check32("s_mul_i32", [](u32 a, u32 b) { return a * b; }, Scc::kept);
    check32(
        "s_mul_hi_u32",
        [](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32U); },
        Scc::kept);
    check32(
        "s_mul_hi_i32",
        [](u32 a, u32 b) { return static_cast<u32>(i64{s(a)} * s(b) >> 32); },
        Scc::kept);
    check32("s_mov_b32", [](u32 a, u32) { return a; }, Scc::kept, true);
    check32(
        "s_sext_i32_i8",
        [](u32 a, u32) { return static_cast<u32>(static_cast<i8>(a)); },
        Scc::kept,
        true);
    check32(
        "s_sext_i32_i16",
        [](u32 a, u32) { return static_cast<u32>(static_cast<i16>(a)); },
        Scc::kept,
        true);
    check32(
        "s_bcnt1_i32_b32",
        [](u32 a, u32) { return static_cast<u32>(std::popcount(a)); },
        Scc::not_zero,
        true);
    check32(
        "s_bcnt0_i32_b32",
        [](u32 a, u32) { return static_cast<u32>(std::popcount(~a)); },
        Scc::not_zero,
        true);
    check32("s_pack_ll_b32_b16", [](u32 a, u32 b) { return (a & 0xffffU) | b << 16U; }, Scc::kept);
    check32(
        "s_pack_lh_b32_b16",
        [](u32 a, u32 b) { return (a & 0xffffU) | (b & 0xffff0000U); },
        Scc::kept);
    check32(
        "s_pack_hh_b32_b16", [](u32 a, u32 b) { return a >> 16U | (b & 0xffff0000U); }, Scc::kept);
    check32(
        "s_brev_b32",
        [](u32 a, u32) {
            u32 reversed = 0;
            for (u32 i = 0; i < 32; ++i)
                reversed |= (a >> i & 1U) << (31 - i);
            return reversed;
        },
        Scc::kept,
        true);
    check32("s_abs_i32", [](u32 a, u32) { return s(a) < 0 ? 0U - a : a; }, Scc::not_zero, true);
}

TEST_CASE("scalar logic and shifts of 64 bits") {
    const std::string sources = " s[0:1], s[2:3], s[4:5]";
    check64("s_and_b64" + sources, [](u64 a, u64 b) { return a & b; }, Scc::not_zero);
    check64("s_or_b64" + sources, [](u64 a, u64 b) { return a | b; }, Scc::not_zero);
    check64("s_xor_b64" + sources, [](u64 a, u64 b) { return a ^ b; }, Scc::not_zero);
    check64("s_nand_b64" + sources, [](u64 a, u64 b) { return ~(a & b); }, Scc::not_zero);
    check64("s_nor_b64" + sources, [](u64 a, u64 b) { return ~(a | b); }, Scc::not_zero);
    check64("s_xnor_b64" + sources, [](u64 a, u64 b) { return ~(a ^ b); }, Scc::not_zero);
    check64("s_andn2_b64" + sources, [](u64 a, u64 b) { return a & ~b; }, Scc::not_zero);
    check64("s_orn2_b64" + sources, [](u64 a, u64 b) { return a | ~b; }, Scc::not_zero);
    check64("s_not_b64 s[0:1], s[2:3]", [](u64 a, u64) { return ~a; }, Scc::not_zero);
    check64("s_mov_b64 s[0:1], s[2:3]", [](u64 a, u64) { return a; }, Scc::kept);
    check64(
        "s_lshl_b64 s[0:1], s[2:3], s4", [](u64 a, u64 b) { return a << b % 64; }, Scc::not_zero);
    check64(
        "s_lshr_b64 s[0:1], s[2:3], s4", [](u64 a, u64 b) { return a >> b % 64; }, Scc::not_zero);
    check64(
        "s_ashr_i64 s[0:1], s[2:3], s4",
        [](u64 a, u64 b) { return static_cast<u64>(static_cast<i64>(a) >> b % 64); },
        Scc::not_zero);
}

TEST_CASE("carries, borrows, overflows and choices in SCC") {
    struct Case {
        const char* name;
        u32 (*result)(u32 a, u32 b, bool in);
        bool (*scc)(u32 a, u32 b, bool in);
    };
    const Case cases[] = {
        {"s_add_i32",
         [](u32 a, u32 b, bool) { return a + b; },
         [](u32 a, u32 b, bool) { return i64{s(a)} + s(b) != s(a + b); }},
        {"s_sub_u32",
         [](u32 a, u32 b, bool) { return a - b; },
         [](u32 a, u32 b, bool) { return b > a; }},
        {"s_subb_u32",
         [](u32 a, u32 b, bool in) { return a - b - (in ? 1U : 0U); },
         [](u32 a, u32 b, bool in) { return u64{b} + (in ? 1U : 0U) > a; }},
        {"s_min_i32",
         [](u32 a, u32 b, bool) { return s(a) < s(b) ? a : b; },
         [](u32 a, u32 b, bool) { return s(a) < s(b); }},
        {"s_max_i32",
         [](u32 a, u32 b, bool) { return s(a) > s(b) ? a : b; },
         [](u32 a, u32 b, bool) { return s(a) >= s(b); }},
        {"s_min_u32",
         [](u32 a, u32 b, bool) { return std::min(a, b); },
         [](u32 a, u32 b, bool) { return a < b; }},
        {"s_max_u32",
         [](u32 a, u32 b, bool) { return std::max(a, b); },
         [](u32 a, u32 b, bool) { return a >= b; }},
        {"s_absdiff_i32",
         [](u32 a, u32 b, bool) { return s(a - b) < 0 ? b - a : a - b; },
         [](u32 a, u32 b, bool) { return a != b; }},
        {"s_lshl1_add_u32",
         [](u32 a, u32 b, bool) { return (a << 1U) + b; },
         [](u32 a, u32 b, bool) { return ((u64{a} << 1U) + b) >> 32U != 0; }},
        {"s_lshl2_add_u32",
         [](u32 a, u32 b, bool) { return (a << 2U) + b; },
         [](u32 a, u32 b, bool) { return ((u64{a} << 2U) + b) >> 32U != 0; }},
        {"s_lshl3_add_u32",
         [](u32 a, u32 b, bool) { return (a << 3U) + b; },
         [](u32 a, u32 b, bool) { return ((u64{a} << 3U) + b) >> 32U != 0; }},
        {"s_lshl4_add_u32",
         [](u32 a, u32 b, bool) { return (a << 4U) + b; },
         [](u32 a, u32 b, bool) { return ((u64{a} << 4U) + b) >> 32U != 0; }},
        {"s_cselect_b32",
         [](u32 a, u32 b, bool in) { return in ? a : b; },
         [](u32, u32, bool in) { return in; }},
    };
    for (const auto& one_case : cases)
        for (u32 i = 0; i < 2 * 24 * 24; ++i) {
            OneWave one;
            const u32 a = edge(i);
            const u32 b = edge(i / 24);
            const bool in = i >= 24 * 24;
            one.wave.s[2] = a;
            one.wave.s[4] = b;
            one.wave.set_scc(in);
            run(one, std::string(one_case.name) + " s0, s2, s4");
            INFO(one_case.name << std::hex << " " << a << ", " << b << ", SCC " << in);
            CHECK(one.wave.s[0] == one_case.result(a, b, in));
            CHECK(one.wave.scc() == one_case.scc(a, b, in));
        }
}

TEST_CASE("EXEC is saved, changed and tested by one instruction") {
    struct Case {
        const char* name;
        u64 (*result)(u64 source, u64 exec);
    };
    const Case cases[] = {
        {"s_and_saveexec_b64", [](u64 a, u64 e) { return a & e; }},
        {"s_or_saveexec_b64", [](u64 a, u64 e) { return a | e; }},
        {"s_xor_saveexec_b64", [](u64 a, u64 e) { return a ^ e; }},
        {"s_andn2_saveexec_b64", [](u64 a, u64 e) { return a & ~e; }},
        {"s_orn2_saveexec_b64", [](u64 a, u64 e) { return a | ~e; }},
        {"s_nand_saveexec_b64", [](u64 a, u64 e) { return ~(a & e); }},
        {"s_nor_saveexec_b64", [](u64 a, u64 e) { return ~(a | e); }},
        {"s_xnor_saveexec_b64", [](u64 a, u64 e) { return ~(a ^ e); }},
        {"s_andn1_saveexec_b64", [](u64 a, u64 e) { return ~a & e; }},
        {"s_orn1_saveexec_b64", [](u64 a, u64 e) { return ~a | e; }},
    };
    for (const auto& one_case : cases)
        for (const u64 exec : {u64{0}, ~u64{0}, u64{0x00ff00ff0f0f3355}})
            for (const u64 source : {u64{0}, ~u64{0}, u64{0x123456789abcdef0}}) {
                OneWave one;
                one.wave.set_scalar64(kExec, exec);
                one.wave.set_scalar64(4, source);
                run(one, std::string(one_case.name) + " s[2:3], s[4:5]");
                INFO(one_case.name << std::hex << " " << source << ", " << exec);
                CHECK(one.wave.exec() == one_case.result(source, exec));
                CHECK(one.wave.scalar64(2) == exec);
                CHECK(one.wave.scc() == (one.wave.exec() != 0));
            }
}
