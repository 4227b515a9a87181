#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::verify {

/// A C++ symbol as a person reads it, shortened if it is very long; others as they are.
std::string readable_symbol(const std::string& symbol);

/// At most `limit` of the lines, then how many more there are.
std::vector<std::string> first_few(const std::vector<std::string>& lines, std::size_t limit);

} // namespace kbuild::verify
