#pragma once

#include <string>
#include <vector>

namespace kbuild::verify {

/// At most `limit` of the lines, then how many more there are.
std::vector<std::string> first_few(const std::vector<std::string>& lines, std::size_t limit);

} // namespace kbuild::verify
