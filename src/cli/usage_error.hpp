#pragma once

#include "kbuild/support/error.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace kbuild::cli {

/// What CLI11 refused, in kbuild's words and with the nearest right spelling. `app` has tried to
/// parse `arguments`.
support::Error usage_error(const CLI::App& app,
                           const CLI::ParseError& error,
                           const std::vector<std::string>& arguments);

/// The first word that is neither a global option nor the value of one: the command; empty if there
/// is none.
std::string first_word(const std::vector<std::string>& arguments);

} // namespace kbuild::cli
