#pragma once

#include <string>
#include <vector>

namespace kbuild::generate {

/// A path as Ninja reads it in a build statement.
std::string ninja_path(std::string path);

/// Words for the shell, as the value of a variable of Ninja.
std::string ninja_command(const std::vector<std::string>& words);

} // namespace kbuild::generate
