#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::ui {

/// A line of a source file as cells of the terminal: one entry per code point, so that a column
/// (counted in code points, from 1) finds its cell. Tabs become four blanks; what could steer the
/// terminal becomes U+FFFD.
std::vector<std::string> cells_of(std::string_view line);

/// Text for a person: control characters other than tab and line feed, bytes that are not UTF-8,
/// and characters that reorder text are written as `\x1b`, `\u{202e}`, so that a file name cannot
/// move the cursor or hide an error.
std::string sanitized(std::string_view text);

} // namespace kbuild::ui
