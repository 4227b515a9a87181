#pragma once

#include "machine/instruction.hpp"

#include "kbuild/support/result.hpp"

#include <string>
#include <string_view>

namespace kbuild::emulator {

/// How a kernel's vector registers are laid out: `arch` VGPRs first, AGPRs behind them.
struct RegisterFile {
    u32 arch = 0;
    u32 total = 0;
};

/// From LLVM's text and the first word of the encoding to a decoded instruction. An instruction
/// that is not in the tables, or a form of it that its row does not cover, is an Error with its
/// name.
support::Result<Instruction>
decode(const std::string& text, u32 first_word, const RegisterFile& registers);

/// `v_add_f32_e32` -> `v_add_f32`
std::string_view base_name(std::string_view mnemonic);

} // namespace kbuild::emulator
