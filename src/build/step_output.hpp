#pragma once

#include <string_view>

namespace kbuild::build {

/// Whether a compiler said more than its errors, each with the source line below it: where a header
/// was included from, notes, warnings. `is_error` tells the line of an error.
bool says_more_than_errors(std::string_view said, bool (*is_error)(std::string_view line));

} // namespace kbuild::build
