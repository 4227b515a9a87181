#pragma once

#include "kbuild/diag/diagnostic.hpp"

#include <string>

namespace kbuild::ui {

/// The source lines that a diagnostic points at, with its places underlined; empty if it has no
/// place. Places in one file share one excerpt. `gutter_width` gets the width of the line numbers.
std::string snippets(const diag::Diagnostic& diagnostic, bool color, std::size_t gutter_width);

/// Digits of the largest line number that `snippets` shows; 0 without a place.
std::size_t gutter_width(const diag::Diagnostic& diagnostic);

} // namespace kbuild::ui
