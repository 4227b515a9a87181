#include "text.hpp"

#include "kbuild/support/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::ui {
namespace {

using support::CodePoint;

bool is_control(std::uint32_t value) {
    return value < 0x20 || (value >= 0x7F && value <= 0x9F);
}

/// Bidirectional overrides and isolates: they make a line read differently from what it says.
bool reorders_text(std::uint32_t value) {
    return (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069);
}

bool is_harmless(const CodePoint& point) {
    return point.valid && !is_control(point.value) && !reorders_text(point.value);
}

std::string escaped(const CodePoint& point) {
    if (point.valid && point.value > 0xFF)
        return fmt::format("\\u{{{:x}}}", point.value);
    return fmt::format("\\x{:02x}", point.value);
}

} // namespace

std::vector<std::string> cells_of(std::string_view line) {
    std::vector<std::string> cells;
    cells.reserve(line.size());
    for (std::size_t at = 0; at < line.size();) {
        const auto point = support::code_point_at(line, at);
        if (point.value == '\t')
            cells.emplace_back("    ");
        else if (is_harmless(point))
            cells.emplace_back(line.substr(at, point.bytes));
        else
            cells.emplace_back("\xEF\xBF\xBD");
        at += point.bytes;
    }
    return cells;
}

std::string sanitized(std::string_view text) {
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 0x20 && c < 0x7F) || c == '\t' || c == '\n';
    });
    if (plain)
        return std::string(text);
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const auto point = support::code_point_at(text, at);
        if (is_harmless(point) || point.value == '\t' || point.value == '\n')
            result += text.substr(at, point.bytes);
        else
            result += escaped(point);
        at += point.bytes;
    }
    return result;
}

} // namespace kbuild::ui
