#include "snippet.hpp"

#include "paint.hpp"
#include "text.hpp"

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

std::size_t width_of(const std::vector<std::string>& cells, std::size_t begin, std::size_t end) {
    std::size_t width = 0;
    for (std::size_t i = begin; i < end && i < cells.size(); ++i)
        width += cells[i].starts_with(' ') ? cells[i].size() : 1;
    return width;
}

/// A source line prepared for the screen: a window of its cells.
struct ShownLine {
    std::vector<std::string> cells;
    std::size_t first = 0; ///< cells before this one are not shown
    std::size_t last = 0;

    std::string text() const {
        const auto at = [this](std::size_t i) {
            return cells.begin() + static_cast<std::ptrdiff_t>(i);
        };
        const std::string shown = std::accumulate(at(first), at(last), std::string());
        return (first > 0 ? "..." : "") + shown + (last < cells.size() ? "..." : "");
    }
    std::size_t offset(std::size_t cell) const {
        return (first > 0 ? 3 : 0) + width_of(cells, first, cell);
    }
};

ShownLine shown_line(const SourceSpan& span) {
    ShownLine line;
    line.cells = cells_of(span.file->line(span.begin.line));
    line.last = line.cells.size();
    if (line.cells.size() <= kWidestLine)
        return line;
    const std::size_t mark = std::min(span.begin.column - 1, line.cells.size());
    line.first = mark > kBeforeMark ? mark - kBeforeMark : 0;
    line.last = std::min(line.first + kWidestLine, line.cells.size());
    return line;
}

/// `    ^^^^^^ label` under a line; what goes on in later lines is underlined to the end of this
/// one.
std::string underline(const Mark& mark, const ShownLine& line, Role role, bool color) {
    const std::size_t begin = std::clamp(mark.span.begin.column - 1, line.first, line.last);
    const bool one_line = mark.span.end.line <= mark.span.begin.line;
    const std::size_t end = one_line ? std::min(mark.span.end.column - 1, line.last) : line.last;
    const std::size_t width = std::max<std::size_t>(width_of(line.cells, begin, end), 1);
    std::string text(width, mark.primary ? '^' : '-');
    if (!mark.text.empty())
        text += " " + sanitized(mark.text);
    return std::string(line.offset(begin), ' ') + paint(text, role, color);
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
