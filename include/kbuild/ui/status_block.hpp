#pragma once

#include "kbuild/ui/terminal.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::ui {

/// How things are with one of the things that are made.
struct StatusItem {
    /// By how much they matter to who looks: what does not fit is left out from the end.
    enum class Kind { failed, running, waiting, done };
    std::string name;
    std::string count; ///< `3/7`; may be empty
    std::string state; ///< `compiling`
    Kind kind = Kind::waiting;
};

/// What a status block shows.
struct Status {
    std::vector<StatusItem> items;
    std::vector<std::string> running; ///< what is done just now, the most interesting first
    std::string summary;              ///< the last line, which is always shown
};

/// How it may be shown.
struct StatusStyle {
    TerminalSize size;
    bool color = false;
    bool utf8 = true; ///< else what is no ASCII becomes `?`
};

/// `text` in at most `columns` cells, with `...` in its middle where something is left out.
std::string cut_middle(std::string_view text, std::size_t columns);

/// `0:07`, `12:30`, `1:02:30`.
std::string clock_text(double seconds);

/// The lines of the block: items as a table in their order, what runs below it, then the summary.
/// Never wider than the terminal or as high. In one that is not high enough lines say what was left
/// out, in this order: what runs beyond two, items that are done, waiting, running.
std::vector<std::string> status_lines(const Status& status, const StatusStyle& style);

} // namespace kbuild::ui
