#pragma once

#include <string>

namespace kbuild::inspect {

/// A symbol as a person reads it: C++ names demangled, control characters (of a hostile file)
/// replaced, text beyond `longest` bytes cut off with an ellipsis. Other names stay as they are.
std::string readable_symbol(const std::string& symbol, std::size_t longest = 200);

} // namespace kbuild::inspect
