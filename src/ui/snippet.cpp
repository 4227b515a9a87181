#include "snippet.hpp"

#include "paint.hpp"
#include "text.hpp"

#include "kbuild/support/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

namespace kbuild::ui {
namespace {

using diag::SourceFilePtr;
using diag::SourceSpan;

/// Longer lines are cut to a window around what is underlined: generated files have lines of a
/// megabyte.
constexpr std::size_t kWidestLine = 160;
constexpr std::size_t kBeforeMark = 40;

struct Mark {
    SourceSpan span;
    std::string text;
    bool primary = false;
};

std::vector<Mark> marks_of(const diag::Diagnostic& diagnostic) {
    std::vector<Mark> marks;
    if (diagnostic.span)
        marks.push_back({diagnostic.span, diagnostic.label, true});
    for (const auto& label : diagnostic.related)
        if (label.span)
            marks.push_back({label.span, label.text, false});
    return marks;
}

/// The files of the marks, in their order, each once.
std::vector<SourceFilePtr> files_of(const std::vector<Mark>& marks) {
    std::vector<SourceFilePtr> files;
    for (const auto& mark : marks)
        if (std::find(files.begin(), files.end(), mark.span.file) == files.end())
            files.push_back(mark.span.file);
    return files;
}

/// A source line prepared for the screen: a window of its cells.
struct ShownLine {
    std::vector<std::string> cells;
    std::size_t first = 0; ///< code points before the window
    bool cut = false;      ///< whether the line goes on behind the window

    std::string text() const {
        const std::string shown = std::accumulate(cells.begin(), cells.end(), std::string());
        return fmt::format("{}{}{}", first > 0 ? "..." : "", shown, cut ? "..." : "");
    }

    /// The cell of a column, inside the window.
    std::size_t cell_of(std::size_t column) const {
        return std::clamp(column - 1, first, first + cells.size()) - first;
    }

    /// Characters on the screen from cell `begin` to cell `end`.
    std::size_t width(std::size_t begin, std::size_t end) const {
        std::size_t sum = 0;
        for (std::size_t i = begin; i < end; ++i)
            sum += cells[i].starts_with(' ') ? cells[i].size() : 1;
        return sum;
    }

    std::size_t offset(std::size_t cell) const { return (first > 0 ? 3 : 0) + width(0, cell); }
};

ShownLine shown_line(const SourceSpan& span) {
    const auto text = span.file->line(span.begin.line);
    ShownLine line;
    if (!support::drop_code_points(text, kWidestLine).empty())
        line.first = span.begin.column > kBeforeMark ? span.begin.column - kBeforeMark : 0;
    auto rest = support::drop_code_points(text, line.first);
    const auto behind = support::drop_code_points(rest, kWidestLine);
    line.cut = !behind.empty();
    rest.remove_suffix(behind.size());
    line.cells = cells_of(rest);
    return line;
}

/// `    ^^^^^^ label` under a line; what goes on in later lines is underlined to the end of this
/// one.
std::string underline(const Mark& mark, const ShownLine& line, Role role, bool color) {
    const bool one_line = mark.span.end.line <= mark.span.begin.line;
    const std::size_t begin = line.cell_of(mark.span.begin.column);
    const std::size_t end = one_line ? line.cell_of(mark.span.end.column) : line.cells.size();
    const std::size_t width = std::max<std::size_t>(line.width(begin, end), 1);
    std::string text(width, mark.primary ? '^' : '-');
    if (!mark.text.empty())
        text.append(" ").append(sanitized(mark.text));
    return std::string(line.offset(begin), ' ').append(paint(text, role, color));
}

class Excerpt {
  public:
    Excerpt(std::size_t gutter_width, Role primary, bool color)
        : gutter_width_(gutter_width), primary_(primary), color_(color) {}

    std::string write(const SourceFilePtr& file, std::vector<Mark> marks) const {
        const auto& head = marks.front();
        std::string text = fmt::format("{}{} {}:{}:{}\n",
                                       std::string(gutter_width_, ' '),
                                       paint(head.primary ? "-->" : ":::", Role::gutter, color_),
                                       sanitized(file->name()),
                                       head.span.begin.line,
                                       head.span.begin.column);
        text += gutter("") + "\n";
        std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
            return std::tuple(a.span.begin.line, !a.primary, a.span.begin.column) <
                   std::tuple(b.span.begin.line, !b.primary, b.span.begin.column);
        });
        return text + lines(marks);
    }

  private:
    std::string lines(const std::vector<Mark>& marks) const {
        std::string text;
        std::size_t previous = 0;
        ShownLine line;
        for (const auto& mark : marks) {
            const std::size_t number = mark.span.begin.line;
            if (previous != 0 && number > previous + 1)
                text += paint("...", Role::gutter, color_) + "\n";
            if (number != previous) {
                line = shown_line(mark.span);
                text += with_gutter(fmt::format("{}", number), line.text());
            }
            const Role role = mark.primary ? primary_ : Role::gutter;
            text += with_gutter("", underline(mark, line, role, color_));
            previous = number;
        }
        return text;
    }

    std::string gutter(const std::string& number) const {
        return paint(fmt::format("{:>{}} |", number, gutter_width_), Role::gutter, color_);
    }

    std::string with_gutter(const std::string& number, const std::string& rest) const {
        return gutter(number) + (rest.empty() ? "" : " ") + rest + "\n";
    }

    std::size_t gutter_width_;
    Role primary_;
    bool color_;
};

} // namespace

std::size_t gutter_width(const diag::Diagnostic& diagnostic) {
    std::size_t width = 0;
    for (const auto& mark : marks_of(diagnostic))
        width = std::max(width, fmt::format("{}", mark.span.begin.line).size());
    return width;
}

std::string snippets(const diag::Diagnostic& diagnostic, bool color, std::size_t gutter_width) {
    const auto marks = marks_of(diagnostic);
    const Excerpt excerpt(gutter_width, role_of(diagnostic.severity), color);
    std::string text;
    for (const auto& file : files_of(marks)) {
        std::vector<Mark> here;
        std::copy_if(marks.begin(), marks.end(), std::back_inserter(here), [&](const Mark& mark) {
            return mark.span.file == file;
        });
        text += excerpt.write(file, std::move(here));
    }
    return text;
}

} // namespace kbuild::ui
