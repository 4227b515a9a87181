#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kbuild::ui {

/// Text as HTML and XML write it: `<`, `>`, `&` and quotes as entities; control characters, bytes
/// that are no UTF-8 and what reorders text as `\x1b`, `\u{202e}`.
std::string escaped_markup(std::string_view text);

/// A piece of a page. Strings get into one only through text() and attribute values, which escape
/// them: no name in a foreign file can become markup.
class Html {
  public:
    Html() = default;

    /// Characters as they are read, by escaped_markup().
    static Html text(std::string_view text);

    Html& operator+=(const Html& more) {
        markup_ += more.markup_;
        return *this;
    }
    const std::string& markup() const { return markup_; }
    bool empty() const { return markup_.empty(); }

  private:
    friend Html element(std::string_view tag,
                        const std::vector<std::pair<std::string_view, std::string>>& attributes,
                        const Html& content);
    std::string markup_;
};

using Attributes = std::vector<std::pair<std::string_view, std::string>>;

/// `<tag attribute="value">content</tag>`. Tag and attribute names are the program's own words:
/// lower case letters, digits and dashes (std::logic_error for others); values are escaped.
Html element(std::string_view tag, const Attributes& attributes, const Html& content);

/// An element that holds text alone, of a class if one is given.
Html element(std::string_view tag, std::string_view text, std::string_view css_class = {});

/// A cell of a table: its content, and whether that is a figure (set flush right).
struct Cell {
    Html content;
    bool figure = false;
};

/// A table in a frame that scrolls by itself where the page is narrower than the table.
Html html_table(const std::vector<std::string>& heading,
                const std::vector<std::vector<Cell>>& rows);

/// What it means that a bar is nearly full.
enum class Full {
    fine,   ///< a share of something
    scarce, ///< a limit is nearly reached
};

/// `value` as a bar of `whole`, with its figure.
Html bar(std::uint64_t value, std::uint64_t whole, const std::string& shown, Full full);

/// A whole document, in one file without script and without anything from elsewhere (a content
/// security policy says so to the browser), readable on light and on dark ground.
std::string html_page(std::string_view title, const Html& body);

} // namespace kbuild::ui
