#include "kbuild/ui/table.hpp"

#include "text.hpp"

#include "kbuild/support/strings.hpp"
#include "kbuild/support/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::ui {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::size_t> column_widths(const Rows& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], support::count_code_points(row[i]));
    }
    return widths;
}

std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(width - support::count_code_points(text), ' ');
}

/// Cells that hold line ends or control characters would break the alignment.
Rows clean(const Rows& rows) {
    Rows result = rows;
    for (auto& row : result)
        for (auto& cell : row)
            cell = support::replace_all(sanitized(cell), "\n", " ");
    return result;
}

std::string without_trailing_blanks(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::string markdown_row(const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const auto& cell : cells)
        line += fmt::format(" {} |", support::replace_all(cell, "|", "\\|"));
    return line + "\n";
}

} // namespace

std::string table(const std::vector<std::vector<std::string>>& rows) {
    const Rows shown = clean(rows);
    const auto widths = column_widths(shown);
    std::string text;
    for (const auto& row : shown) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += padded(row[i], widths[i]) + "  ";
        text += without_trailing_blanks(std::move(line)) + "\n";
    }
    return text;
}

std::string markdown_table(const std::vector<std::vector<std::string>>& rows) {
    if (rows.empty())
        return {};
    const Rows shown = clean(rows);
    const std::size_t columns = column_widths(shown).size();
    std::string text;
    for (const auto& row : shown) {
        auto cells = row;
        cells.resize(columns);
        text += markdown_row(cells);
        if (&row == &shown.front())
            text += markdown_row(std::vector<std::string>(columns, "---"));
    }
    return text;
}

} // namespace kbuild::ui
