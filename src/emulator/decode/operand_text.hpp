#pragma once

#include "decode/decoder.hpp"

namespace kbuild::emulator {

/// `-|v3|`, `s[4:5]`, `a[0:15]`, `vcc`, `0x10`, `1.0`, `sext(v1)`, `off` as an operand of `type`.
support::Result<Operand>
parse_operand(std::string_view text, Type type, const RegisterFile& registers);

} // namespace kbuild::emulator
