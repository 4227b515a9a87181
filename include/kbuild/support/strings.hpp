#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::support {

std::vector<std::string> split(std::string_view text, char separator); ///< keeps empty parts
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string_view trim(std::string_view text);
std::string replace_all(std::string text, std::string_view from, std::string_view to);
std::string to_lower(std::string_view text); ///< ASCII only
bool contains(std::string_view text, std::string_view part);

/// Whether the text begins with one of them.
template <typename Starts = std::initializer_list<std::string_view>>
bool starts_with_any(std::string_view text, const Starts& starts) {
    return std::any_of(std::begin(starts), std::end(starts), [text](std::string_view start) {
        return text.starts_with(start);
    });
}

/// Whether a shell takes the word as it is.
bool is_plain_word(std::string_view word);

/// The word as a POSIX shell has to read it: plain, or in single quotes.
std::string shell_quote(const std::string& word);

/// `1 file`, `2 files`.
std::string plural(std::size_t count, std::string_view singular, std::string_view plural_form = {});

/// The whole lines at the end of a text that fit into so many bytes, after a line that says that
/// something is missing; a text that fits stays.
std::string end_of(std::string_view text, std::size_t bytes);

/// `95.2 kB`, `3.1 MB`: decimal units, one digit after the point.
std::string human_size(std::uintmax_t bytes);

/// The entry of `candidates` that `word` was probably meant to be; none if nothing is near.
std::optional<std::string> closest(std::string_view word,
                                   const std::vector<std::string>& candidates);

/// Whether `name` fits a shell pattern with `*` and `?`.
bool matches_glob(std::string_view pattern, std::string_view name);

} // namespace kbuild::support
