#pragma once

#include "machine/types.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::emulator {

/// A line of assembler, taken apart: `v_add_f32_sdwa v0, -v1, v2 dst_sel:DWORD src0_sel:BYTE_0`.
struct AsmLine {
    std::string mnemonic; ///< as printed, with its suffix
    std::vector<std::string>
        operands; ///< `v0`, `-v1`, `|v2|`, `s[4:5]`, `0x10`, `1.0`, `vcc`, `off`
    std::vector<std::string>
        modifiers; ///< `offset:16`, `clamp`, `sc0`, `op_sel:[0,1]`, `row_shr:1`
};

AsmLine split_asm(std::string_view text);

/// The part after `name:` of a modifier, if it is there.
std::optional<std::string_view> modifier(const AsmLine& line, std::string_view name);
bool has_modifier(const AsmLine& line, std::string_view name);

/// `[1,0,1]` as numbers.
std::vector<u32> number_list(std::string_view text);

/// Decimal, hexadecimal and negative integers.
std::optional<i64> parse_integer(std::string_view text);

} // namespace kbuild::emulator
