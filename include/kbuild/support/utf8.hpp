#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kbuild::support {

/// One step through UTF-8: a code point, or one byte that belongs to none.
struct CodePoint {
    std::uint32_t value = 0;
    std::size_t bytes = 1; ///< how far to go on
    bool valid = false;
};

/// The code point at byte `offset`, which must be inside `text`. Overlong forms, surrogates and
/// values above U+10FFFF are not valid.
CodePoint code_point_at(std::string_view text, std::size_t offset);

/// Code points in `text`; a byte that belongs to none counts as one.
std::size_t count_code_points(std::string_view text);

/// `text` without its first `count` code points; empty if it has no more.
std::string_view drop_code_points(std::string_view text, std::size_t count);

/// The first byte that belongs to no code point.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

} // namespace kbuild::support
