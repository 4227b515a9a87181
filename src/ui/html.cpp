#include "kbuild/ui/html.hpp"

#include "html_style.hpp"
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace kbuild::ui {
namespace {

std::string_view entity(char character) {
    switch (character) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return {};
    }
}

/// A name that a mistake of the program put together from foreign text would be markup.
std::string_view checked_name(std::string_view name) {
    constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-";
    if (name.empty() || name.find_first_not_of(kAllowed) != std::string_view::npos)
        throw std::logic_error(fmt::format("`{}` is no name of an element or attribute", name));
    return name;
}

} // namespace

std::string escaped_markup(std::string_view text) {
    std::string result;
    for (const char character : sanitized(text)) {
        const auto safe = entity(character);
        if (safe.empty())
            result += character;
        else
            result += safe;
    }
    return result;
}

Html Html::text(std::string_view text) {
    Html html;
    html.markup_ = escaped_markup(text);
    return html;
}

Html element(std::string_view tag, const Attributes& attributes, const Html& content) {
    Html html;
    html.markup_ = fmt::format("<{}", checked_name(tag));
    for (const auto& [name, value] : attributes)
        html.markup_ += fmt::format(" {}=\"{}\"", checked_name(name), escaped_markup(value));
    html.markup_ += fmt::format(">{}</{}>", content.markup_, tag);
    return html;
}

Html element(std::string_view tag, std::string_view text, std::string_view css_class) {
    Attributes attributes;
    if (!css_class.empty())
        attributes.emplace_back("class", css_class);
    return element(tag, attributes, Html::text(text));
}

Html html_table(const std::vector<std::string>& heading,
                const std::vector<std::vector<Cell>>& rows) {
    Html head;
    for (const auto& title : heading)
        head += element("th", {{"scope", "col"}}, Html::text(title));
    Html body;
    for (const auto& row : rows) {
        Html cells;
        for (const auto& cell : row)
            cells += element(
                "td", cell.figure ? Attributes{{"class", "figure"}} : Attributes{}, cell.content);
        body += element("tr", {}, cells);
    }
    Html table = element("thead", {}, element("tr", {}, head));
    table += element("tbody", {}, body);
    // Whoever uses a keyboard has to be able to scroll it.
    return element("div", {{"class", "wide"}, {"tabindex", "0"}}, element("table", {}, table));
}

Html bar(std::uint64_t value, std::uint64_t whole, const std::string& shown, Full full) {
    // In doubles, which no figure of a hostile file can overflow.
    const auto part = whole == 0 ? 0.0 : static_cast<double>(value) / static_cast<double>(whole);
    const auto percent = static_cast<int>(100.0 * std::min(1.0, part));
    const std::string_view level = full == Full::scarce && percent > 90 ? "bar high" : "bar";
    Html content = element("span", shown);
    content += element("i", {{"style", fmt::format("width:{}%", percent)}}, {});
    return element("div", {{"class", std::string(level)}}, content);
}

std::string html_page(std::string_view title, const Html& body) {
    return fmt::format("<!doctype html>\n"
                       "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                       "'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"color-scheme\" content=\"light dark\">\n"
                       "<title>{}</title>\n<style>\n{}</style>\n</head>\n"
                       "<body>\n<main>\n{}\n</main>\n</body>\n</html>\n",
                       escaped_markup(title),
                       kHtmlStyle,
                       body.markup());
}

} // namespace kbuild::ui
