#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::generate {

/// A path as Ninja reads it in a build statement.
std::string ninja_path(std::string path);

/// Whether neither a shell, nor CMake, nor Ninja takes anything in it for itself.
bool is_plain_word(std::string_view word);

/// Words for the shell, as the value of a variable of Ninja.
std::string ninja_command(const std::vector<std::string>& words);

} // namespace kbuild::generate
