#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kbuild::build {

/// What a command of Ninja makes, by its command line: the word after `-o`, or in `-output=`.
/// Nothing for a command that does not name it so; those take no time (archives, copies).
std::optional<std::string> output_of_command(const std::vector<std::string>& words);

/// What the children of a Ninja are making, by /proc, since Ninja tells of steps only when they
/// end. Sorted. Empty where /proc does not list children.
std::vector<std::string> running_outputs(int ninja);

} // namespace kbuild::build
