#pragma once

#include "kbuild/inspect/device_code.hpp"

#include <optional>
#include <string_view>

namespace kbuild::inspect {

/// Counts the instructions in the machine code of one function by the lengths of their encodings.
/// None for an architecture that is not of the GFX9 family with matrix cores up to gfx942, for no
/// code, and for words that are no instruction there.
std::optional<InstructionCounts> count_instructions(std::string_view code,
                                                    const model::GfxArch& arch);

/// Whether nothing but `s_nop` and waits stands before the first `s_endpgm`: what is left of a
/// kernel whose body an architecture guard removed. False for no code.
bool ends_at_once(std::string_view code);

} // namespace kbuild::inspect
