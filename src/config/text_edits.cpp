#include "text_edits.hpp"

#include "kbuild/support/strings.hpp"
#include "kbuild/support/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace kbuild::config {
namespace {

constexpr std::string_view kBlanks = " \t";

/// Where the lines of an entry begin and end, and what of them is its own.
struct Lines {
    std::size_t begin = 0;     ///< of the line with the key
    std::size_t key = 0;       ///< where the key begins, dots before it included
    std::size_t value_end = 0; ///< behind the value
    std::size_t end = 0;       ///< behind the end-of-line of the value's last line
};

std::size_t line_start(std::string_view text, std::size_t at) {
    const auto newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    return newline == std::string_view::npos ? 0 : newline + 1;
}

std::size_t line_end(std::string_view text, std::size_t at) {
    const auto newline = text.find('\n', at);
    return newline == std::string_view::npos ? text.size() : newline + 1;
}

Lines lines_of(const Entry& entry) {
    const auto& file = *entry.key_span.file;
    const std::string_view text = file.text();
    Lines lines;
    const auto key = offset_of(file, entry.key_span.begin);
    lines.begin = line_start(text, key);
    lines.key = text.find_first_not_of(kBlanks, lines.begin);
    lines.value_end = offset_of(file, entry.value.span.end);
    lines.end = line_end(text, lines.value_end);
    return lines;
}

/// What lines of this file end with.
std::string_view end_of_line(const diag::SourceFile& file) {
    const auto newline = file.text().find('\n');
    const bool windows =
        newline != std::string::npos && newline > 0 && file.text()[newline - 1] == '\r';
    return windows ? "\r\n" : "\n";
}

/// What stands before the key on its line: blanks, and the dotted tables that it is in.
std::string_view lead_of(const Entry& entry) {
    const auto& file = *entry.key_span.file;
    const auto begin = lines_of(entry).begin;
    return std::string_view(file.text())
        .substr(begin, offset_of(file, entry.key_span.begin) - begin);
}

/// `lines`, which end with `\n`, in the file's own line ends; behind a last line that has none.
Edit lines_at(const diag::SourceFile& file, std::size_t at, std::string_view lines) {
    const auto eol = end_of_line(file);
    const bool open = at > 0 && file.text()[at - 1] != '\n';
    return {at,
            at,
            (open ? std::string(eol) : "") + support::replace_all(std::string(lines), "\n", eol)};
}

/// One of several things with commas between them, with one of the commas.
Edit remove_listed(std::string_view text, std::size_t begin, std::size_t end) {
    const auto behind = text.find_first_not_of(" \t\r\n", end);
    if (behind != std::string_view::npos && text[behind] == ',') {
        const auto rest = text.find_first_not_of(kBlanks, behind + 1);
        const bool own_line = text.find_first_not_of(kBlanks, line_start(text, begin)) == begin;
        if (own_line && (text[rest] == '\n' || text[rest] == '\r'))
            return {line_start(text, begin), line_end(text, rest), {}};
        return {begin, rest, {}};
    }
    const auto before = text.find_last_not_of(" \t\r\n", begin - 1);
    return {text[before] == ',' ? before : begin, end, {}};
}

} // namespace

std::string apply_edits(std::string_view text, const Edits& edits) {
    std::vector<std::size_t> order(edits.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&edits](std::size_t a, std::size_t b) {
        return std::tuple(edits[a].begin, edits[a].end, a) <
               std::tuple(edits[b].begin, edits[b].end, b);
    });
    std::string result;
    std::size_t done = 0;
    for (const auto index : order) {
        const auto& edit = edits[index];
        result.append(text.substr(done, edit.begin - done)).append(edit.text);
        done = edit.end;
    }
    return result.append(text.substr(done));
}

std::size_t offset_of(const diag::SourceFile& file, diag::Position position) {
    if (position.line > file.line_count())
        return file.text().size();
    const auto line = file.line(position.line);
    const auto rest = support::drop_code_points(line, position.column - 1);
    return static_cast<std::size_t>(line.data() - file.text().data()) + line.size() - rest.size();
}

std::string_view slice(const diag::SourceSpan& span) {
    const auto begin = offset_of(*span.file, span.begin);
    return std::string_view(span.file->text())
        .substr(begin, offset_of(*span.file, span.end) - begin);
}

bool is_inline(const Value& table) {
    return slice(table.span).starts_with('{');
}

bool has_header(const Value& table) {
    return slice(table.span).starts_with('[');
}

Edit insert_after(const Value& table, const Entry& entry, std::string_view assignment) {
    const auto lines = lines_of(entry);
    if (is_inline(table))
        return {lines.value_end, lines.value_end, fmt::format(", {}", assignment)};
    return lines_at(
        *entry.key_span.file, lines.end, fmt::format("{}{}\n", lead_of(entry), assignment));
}

Edit insert_before(const Value& table, const Entry& entry, std::string_view assignment) {
    const auto& file = *entry.key_span.file;
    if (is_inline(table)) {
        const auto key = offset_of(file, entry.key_span.begin);
        return {key, key, fmt::format("{}, ", assignment)};
    }
    return lines_at(file, lines_of(entry).begin, fmt::format("{}{}\n", lead_of(entry), assignment));
}

Edit remove_entry(const Value& table, const Entry& entry) {
    const auto& file = *entry.key_span.file;
    const std::string_view text = file.text();
    const auto lines = lines_of(entry);
    if (is_inline(table))
        return remove_listed(text, offset_of(file, entry.key_span.begin), lines.value_end);
    const auto rest = text.find_first_not_of(kBlanks, lines.value_end);
    if (rest != std::string_view::npos && text[rest] == '#')
        return {lines.key, rest, {}};
    return {lines.begin, lines.end, {}};
}

Edit remove_item(const Value& item) {
    const auto& file = *item.span.file;
    return remove_listed(
        file.text(), offset_of(file, item.span.begin), offset_of(file, item.span.end));
}

Edit append_lines(const Entry& last, std::string_view lines) {
    return lines_at(*last.key_span.file, lines_of(last).end, lines);
}

Edit append_table(const diag::SourceFile& file, std::string_view header) {
    const std::string_view text = file.text();
    const bool blank_line = text.ends_with("\n\n") || text.ends_with("\n\r\n");
    return lines_at(file, text.size(), fmt::format("{}{}\n", blank_line ? "" : "\n", header));
}

Edit replace(const diag::SourceSpan& span, std::string text) {
    return {offset_of(*span.file, span.begin), offset_of(*span.file, span.end), std::move(text)};
}

} // namespace kbuild::config
