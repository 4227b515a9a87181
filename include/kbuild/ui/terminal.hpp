#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::ui {

/// Of a terminal, in cells.
struct TerminalSize {
    std::size_t columns = 80;
    std::size_t rows = 24;
};

/// What a terminal says of itself; what it does not know is 80 × 24.
TerminalSize terminal_size(int descriptor);

/// Whether lines on this descriptor may be written over: a terminal that knows how (TERM), at which
/// somebody looks (not CI).
bool can_redraw(int descriptor);

/// Whether this process may write to it: a job in the background leaves the terminal to others.
bool is_in_foreground(int descriptor);

/// Whether the locale's characters are UTF-8 (LC_ALL, LC_CTYPE, LANG).
bool has_utf8_locale();

/// Lines at the end of a terminal that are written over in place. It makes the text that does so,
/// to be written in one piece; nothing is ever hidden or switched that would have to be restored.
class LiveLines {
  public:
    /// The lines in the place of those drawn before; nothing if they are the same. None may be
    /// wider than the terminal.
    std::string draw(const std::vector<std::string>& lines);
    /// Takes them away; the cursor is where they began.
    std::string erase();
    /// What was drawn stays as it is: something else was written behind it.
    void leave() { drawn_.clear(); }

  private:
    std::string to_first_line() const;
    std::vector<std::string> drawn_;
};

} // namespace kbuild::ui
