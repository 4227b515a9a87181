#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace kbuild::support {

/// The decimal number that the whole text is; nothing if it is none or does not fit.
template <class T> std::optional<T> whole_number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace kbuild::support
