#pragma once

#include <string>
#include <vector>

namespace kbuild::cli {

/// Runs the command line (without the program's name) and returns the exit code.
int run(const std::vector<std::string>& arguments);

} // namespace kbuild::cli
