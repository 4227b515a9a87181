#include "kbuild/ui/terminal.hpp"

#include "kbuild/support/environment.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

namespace kbuild::ui {
namespace {

constexpr std::string_view kEraseToEndOfLine = "\x1b[K";
constexpr std::string_view kEraseToEndOfScreen = "\x1b[J";
/// So that a line that is too wide, for a terminal that was made narrower just now, is cut.
constexpr std::string_view kDoNotWrap = "\x1b[?7l";
constexpr std::string_view kWrap = "\x1b[?7h";

} // namespace

TerminalSize terminal_size(int descriptor) {
    TerminalSize size;
    winsize window{};
    if (::ioctl(descriptor, TIOCGWINSZ, &window) != 0)
        return size;
    if (window.ws_col != 0)
        size.columns = window.ws_col;
    if (window.ws_row != 0)
        size.rows = window.ws_row;
    return size;
}

bool can_redraw(int descriptor) {
    const auto term = support::environment("TERM").value_or("dumb");
    const auto ci = support::environment("CI").value_or("false");
    return ::isatty(descriptor) != 0 && term != "dumb" && (ci == "false" || ci == "0");
}

bool is_in_foreground(int descriptor) {
    const auto group = ::tcgetpgrp(descriptor); // -1: of another session, nobody's jobs
    return group < 0 || group == ::getpgrp();
}

bool has_utf8_locale() {
    for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"})
        if (const auto value = support::environment(name)) {
            const auto locale = support::to_lower(*value);
            return support::contains(locale, "utf-8") || support::contains(locale, "utf8");
        }
    return false;
}

std::string LiveLines::to_first_line() const {
    return drawn_.size() < 2 ? "\r" : fmt::format("\r\x1b[{}A", drawn_.size() - 1);
}

std::string LiveLines::draw(const std::vector<std::string>& lines) {
    if (lines.empty())
        return erase();
    if (lines == drawn_)
        return {};
    std::string text = to_first_line();
    text += kDoNotWrap;
    for (const auto& line : lines) {
        if (&line != &lines.front())
            text += "\r\n";
        text += line;
        text += kEraseToEndOfLine;
    }
    text += kEraseToEndOfScreen;
    text += kWrap;
    drawn_ = lines;
    return text;
}

std::string LiveLines::erase() {
    if (drawn_.empty())
        return {};
    auto text = to_first_line();
    text += kEraseToEndOfScreen;
    drawn_.clear();
    return text;
}

} // namespace kbuild::ui
