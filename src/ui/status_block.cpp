#include "kbuild/ui/status_block.hpp"

#include "paint.hpp"
#include "text.hpp"

#include "kbuild/support/strings.hpp"
#include "kbuild/support/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace kbuild::ui {
namespace {

using Kind = StatusItem::Kind;
using support::count_code_points;

constexpr std::string_view kCut = "...";
constexpr std::size_t kLinesAtMost = 24;
constexpr std::size_t kNameAtLeast = 8;
constexpr std::size_t kRunningAtLeast = 2;
constexpr std::size_t kRunningAtMost = 8;

/// Text for one line that steers no terminal.
std::string one_line(std::string_view text, bool utf8) {
    auto line = support::replace_all(sanitized(text), "\n", " ");
    line = support::replace_all(std::move(line), "\t", " ");
    if (utf8)
        return line;
    std::string ascii;
    for (std::size_t at = 0; at < line.size();) {
        const auto point = support::code_point_at(line, at);
        ascii += point.value < 0x80 ? static_cast<char>(point.value) : '?';
        at += point.bytes;
    }
    return ascii;
}

std::string first_cells(std::string_view text, std::size_t count) {
    return std::string(text.substr(0, text.size() - support::drop_code_points(text, count).size()));
}

std::string padded_right(const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, count_code_points(text)), ' ');
}

/// The columns of a table of items.
struct Widths {
    std::size_t name = 0;
    std::size_t count = 0;
};

std::size_t widest_name(const std::vector<StatusItem>& items) {
    std::size_t widest = 0;
    for (const auto& item : items)
        widest = std::max(widest, count_code_points(item.name));
    return widest;
}

/// Removes the last part of all names, from their last dash on, while it is the same in all.
void drop_common_ends(std::vector<StatusItem>& items) {
    const auto end_of = [](const StatusItem& item) {
        const auto dash = item.name.rfind('-');
        return dash == std::string::npos ? std::string() : item.name.substr(dash);
    };
    while (items.size() > 1) {
        const auto end = end_of(items.front());
        if (end.empty() || !std::all_of(items.begin(), items.end(), [&](const auto& item) {
                return end_of(item) == end;
            }))
            return;
        for (auto& item : items)
            item.name.resize(item.name.size() - end.size());
    }
}

/// Of the table; names that are too long for it lose what they have in common first.
Widths widths_for(std::vector<StatusItem>& items, std::size_t columns) {
    Widths widths;
    std::size_t state = 0;
    for (const auto& item : items) {
        widths.count = std::max(widths.count, item.count.size());
        state = std::max(state, count_code_points(item.state));
    }
    const auto rest = widths.count + state + 4;
    const auto room = columns > rest + kNameAtLeast ? columns - rest : kNameAtLeast;
    if (widest_name(items) > room)
        drop_common_ends(items);
    widths.name = std::min(widest_name(items), room);
    return widths;
}

std::string item_line(const StatusItem& item, const Widths& widths, const StatusStyle& style) {
    const auto line =
        cut_middle(fmt::format("{}  {:>{}}  {}",
                               padded_right(cut_middle(item.name, widths.name), widths.name),
                               item.count,
                               widths.count,
                               item.state),
                   style.size.columns);
    return item.kind == Kind::failed ? paint(line, Role::error, style.color) : line;
}

std::string left_out(const std::vector<StatusItem>& items) {
    std::map<std::string, std::size_t> states;
    for (const auto& item : items)
        ++states[item.state];
    std::vector<std::string> parts;
    for (const auto& [state, count] : states)
        parts.push_back(fmt::format("{} {}", count, state));
    return fmt::format("and {} more: {}", items.size(), support::join(parts, ", "));
}

/// Removes the least interesting items until `room` lines do; what was removed.
std::vector<StatusItem> leave_out(std::vector<StatusItem>& items, std::size_t room) {
    std::vector<StatusItem> out;
    while (!items.empty() && items.size() + (out.empty() ? 0 : 1) > room) {
        auto least = items.begin();
        for (auto item = items.begin(); item != items.end(); ++item)
            if (item->kind >= least->kind) // the last one of those
                least = item;
        out.push_back(std::move(*least));
        items.erase(least);
    }
    return out;
}

} // namespace

std::string cut_middle(std::string_view text, std::size_t columns) {
    const auto length = count_code_points(text);
    if (length <= columns)
        return std::string(text);
    if (columns <= kCut.size())
        return first_cells(text, columns);
    const auto kept = columns - kCut.size();
    const auto behind = kept / 2;
    return first_cells(text, kept - behind) + std::string(kCut) +
           std::string(support::drop_code_points(text, length - behind));
}

std::string clock_text(double seconds) {
    const auto whole = std::llround(std::max(0.0, seconds));
    if (whole >= 3600)
        return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::vector<std::string> status_lines(const Status& status, const StatusStyle& style) {
    auto items = status.items;
    for (auto& item : items)
        for (auto* const text : {&item.name, &item.count, &item.state})
            *text = one_line(*text, style.utf8);
    // The line above the block stays in sight.
    const auto rows = std::clamp<std::size_t>(style.size.rows, 2, kLinesAtMost + 1) - 1;
    const auto below = rows - 1;
    auto room = below - std::min(below, items.size());
    const auto running = std::min({status.running.size(),
                                   std::max(room, std::min(kRunningAtLeast, below / 2)),
                                   kRunningAtMost});
    room = below - running;
    const auto out = leave_out(items, room);

    std::vector<std::string> lines;
    const auto widths = widths_for(items, style.size.columns);
    for (const auto& item : items)
        lines.push_back(item_line(item, widths, style));
    const auto add = [&](const std::string& text) {
        lines.push_back(cut_middle(one_line(text, style.utf8), style.size.columns));
    };
    if (!out.empty() && lines.size() < room)
        add(left_out(out));
    for (std::size_t i = 0; i < running; ++i)
        add("  " + status.running[i]);
    add(status.summary);
    return lines;
}

} // namespace kbuild::ui
