#include "instructions.hpp"

#include "byte_reader.hpp"

#include <cstdint>

namespace kbuild::inspect {
namespace {

// Encodings of GFX9: "AMD Instinct MI300 Instruction Set Architecture", chapter 13.

constexpr std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
    return (word >> low) & ((1U << (high - low + 1)) - 1U);
}

constexpr std::uint32_t kLiteral = 255; // an operand that says: the next word is its value

/// VOP1, VOP2 and VOPC: a second word holds a literal, SDWA (249) or DPP (250).
std::size_t vector_words(std::uint32_t word) {
    const auto operand = bits(word, 8, 0);
    const auto operation = bits(word, 30, 25);
    // v_madmk/v_fmamk and v_madak/v_fmaak, f32 and f16, always have a literal.
    const bool constant = operation == 23 || operation == 24 || operation == 36 || operation == 37;
    return constant || operand == kLiteral || operand == 249 || operand == 250 ? 2 : 1;
}

std::size_t scalar_words(std::uint32_t word) {
    const auto first = bits(word, 31, 23);
    if (first == 0x17F) // SOPP
        return 1;
    if (first == 0x17D) // SOP1
        return bits(word, 7, 0) == kLiteral ? 2 : 1;
    if (bits(word, 31, 28) == 0xB && first != 0x17E) // SOPK
        return bits(word, 27, 23) == 20 ? 2 : 1;     // s_setreg_imm32_b32
    return bits(word, 7, 0) == kLiteral || bits(word, 15, 8) == kLiteral ? 2 : 1; // SOP2, SOPC
}

/// 0 for what is no encoding.
std::size_t words_of(std::uint32_t word) {
    if (bits(word, 31, 31) == 0)
        return vector_words(word);
    if (bits(word, 31, 30) == 2)
        return scalar_words(word);
    switch (bits(word, 31, 26)) {
    case 0x35: // VINTRP
        return 1;
    case 0x30: // SMEM
    case 0x31: // EXP
    case 0x34: // VOP3, VOP3P
    case 0x36: // DS
    case 0x37: // FLAT, GLOBAL, SCRATCH
    case 0x38: // MUBUF
    case 0x3A: // MTBUF
    case 0x3C: // MIMG
        return 2;
    default:
        return 0;
    }
}

/// The upper half of VOP3P's operations is the matrix cores', but for the moves between VGPRs and
/// AGPRs.
bool is_matrix(std::uint32_t word) {
    constexpr std::uint32_t kRead = 0x58;  // v_accvgpr_read
    constexpr std::uint32_t kWrite = 0x59; // v_accvgpr_write
    const auto operation = bits(word, 22, 16);
    return bits(word, 31, 23) == 0x1A7 && operation >= 0x40 && operation != kRead &&
           operation != kWrite;
}

bool is_known(const model::GfxArch& arch) {
    const auto& name = arch.processor();
    return name == "gfx908" || name == "gfx90a" || name == "gfx942";
}

} // namespace

std::optional<InstructionCounts> count_instructions(std::string_view code,
                                                    const model::GfxArch& arch) {
    if (!is_known(arch) || code.empty())
        return std::nullopt;
    InstructionCounts counts;
    ByteReader in(code);
    while (in.left() > 0) {
        const auto word = in.u32();
        const auto words = word ? words_of(*word) : 0;
        if (words == 0 || !in.take((words - 1) * sizeof(std::uint32_t)))
            return std::nullopt;
        counts.all += 1;
        counts.matrix += is_matrix(*word) ? 1 : 0;
    }
    return counts;
}

bool ends_at_once(std::string_view code) {
    ByteReader in(code);
    for (auto word = in.u32(); word; word = in.u32()) {
        if (*word == 0xBF810000 || *word == 0xBFB00000) // s_endpgm until GFX10 and since GFX11
            return true;
        const auto upper = bits(*word, 31, 16);
        const bool idle = upper == 0xBF80 || upper == 0xBF8C; // s_nop, s_waitcnt
        if (!idle)
            return false;
    }
    return false;
}

} // namespace kbuild::inspect
