#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::step {

/// The words of a file of arguments (`@FILE`) as GCC's and clang's drivers read it: white space
/// separates them, quotes of both kinds and backslashes keep it together
/// (gcc.gnu.org/onlinedocs/gcc/Overall-Options.html, `@file`).
std::vector<std::string> words_of_response_file(std::string_view text);

/// Text that is read as `words`, one a line.
std::string response_file(const std::vector<std::string>& words);

} // namespace kbuild::step
