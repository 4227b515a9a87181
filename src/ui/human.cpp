#include "formats.hpp"
#include "paint.hpp"
#include "snippet.hpp"
#include "text.hpp"

#include "kbuild/diag/codes.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::ui {
namespace {

/// `error[K0104]: message`, `error: message`.
std::string headline(const diag::Diagnostic& diagnostic, bool color) {
    const std::string code = diagnostic.code.empty() ? "" : fmt::format("[{}]", diagnostic.code);
    const std::string word = fmt::format("{}{}", word_of(diagnostic.severity), code);
    const std::string message = fmt::format(": {}", sanitized(diagnostic.message));
    return paint(word, role_of(diagnostic.severity), color) + paint(message, Role::emphasis, color);
}

/// `   = help: text`; further lines of the text stand below its first.
std::string
footnote(std::size_t indent, std::string_view word, const std::string& text, bool color) {
    const std::string below = fmt::format("\n{:{}}", "", indent + word.size() + 4);
    return fmt::format("{:{}}{} {} {}\n",
                       "",
                       indent,
                       paint("=", Role::gutter, color),
                       paint(fmt::format("{}:", word), Role::emphasis, color),
                       support::replace_all(sanitized(text), "\n", below));
}

std::string place(const diag::SourceSpan& span) {
    if (!span)
        return {};
    return fmt::format(
        "{}:{}:{}: ", sanitized(span.file->name()), span.begin.line, span.begin.column);
}

} // namespace

std::string human(const diag::Diagnostic& diagnostic, bool color) {
    const std::size_t width = gutter_width(diagnostic);
    std::string text = headline(diagnostic, color) + "\n" + snippets(diagnostic, color, width);
    const std::size_t indent = width + 1;
    for (const auto& note : diagnostic.notes)
        text += footnote(indent, "note", note, color);
    for (const auto& help : diagnostic.help)
        text += footnote(indent, "help", help, color);
    if (!diag::page(diagnostic.code).empty())
        text += footnote(indent,
                         "help",
                         fmt::format("run `kbuild explain {}` for examples", diagnostic.code),
                         color);
    return text + "\n";
}

std::string human(const support::Error& error, bool color) {
    std::string text = paint("error", Role::error, color) +
                       paint(fmt::format(": {}", sanitized(error.message)), Role::emphasis, color) +
                       "\n";
    for (const auto& frame : error.context)
        text += fmt::format("  while {}\n", sanitized(frame));
    if (!error.hint.empty())
        text += paint("help", Role::help, color) + ": " +
                support::replace_all(sanitized(error.hint), "\n", "\n      ") + "\n";
    return text;
}

std::string brief(const diag::Diagnostic& diagnostic, bool color) {
    return place(diagnostic.span) + headline(diagnostic, color) + "\n";
}

std::string brief(const support::Error& error, bool color) {
    std::string text = sanitized(error.message);
    for (const auto& frame : error.context)
        text += " (while " + sanitized(frame) + ")";
    return paint("error", Role::error, color) + ": " + support::replace_all(text, "\n", " ") + "\n";
}

} // namespace kbuild::ui
