#include "kbuild/generate/cmake_writer.hpp"

#include "ninja_text.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::generate {
namespace {

using support::replace_all;

/// Keeps `;` within an item of a list.
std::string list_item(const std::string& text) {
    return replace_all(text, ";", "\\;");
}

/// Keeps `$<` from opening a generator expression, and `>` from closing one around it.
std::string no_expression(std::string text) {
    constexpr char kMark = '\0'; // in no argument
    text = replace_all(std::move(text), "$<", std::string(1, kMark));
    text = replace_all(std::move(text), ">", "$<ANGLE-R>");
    return replace_all(std::move(text), std::string(1, kMark), "$<1:$><");
}

/// For CMake's splitting of `SHELL:` options, where a backslash escapes within quotes of both
/// kinds.
std::string quote_for_cmake(const std::string& argument) {
    if (support::is_plain_word(argument))
        return argument;
    return '"' + replace_all(replace_all(argument, "\\", "\\\\"), "\"", "\\\"") + '"';
}

} // namespace

std::string cmake_literal(std::string_view text) {
    std::string fence;
    while (support::contains(text, "]" + fence + "]") || text.ends_with("]" + fence))
        fence += "=";
    // CMake drops a newline right after the opening bracket, so one that belongs to the text is
    // doubled.
    const std::string_view newline = text.starts_with('\n') ? "\n" : "";
    return fmt::format("[{}[{}{}]{}]", fence, newline, text, fence);
}

std::string option_entry(const std::vector<std::string>& arguments) {
    if (arguments.empty())
        return {};
    std::string line = "SHELL:";
    for (const auto& argument : arguments)
        line += "\n    " + quote_for_cmake(argument);
    return no_expression(list_item(line));
}

std::string ninja_flags(const std::vector<std::string>& arguments) {
    return no_expression(ninja_command(arguments));
}

void CMakeWriter::comment(std::string_view text) {
    text_ += fmt::format("# {}\n", text);
}

void CMakeWriter::set(std::string_view name, std::string_view value) {
    text_ += fmt::format("set({} {})\n", name, cmake_literal(value));
}

void CMakeWriter::set_items(std::string_view name, const std::vector<std::string>& items) {
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < items.size(); ++i) {
        numbers.push_back(std::to_string(i));
        set(fmt::format("{}_{}", name, i), items[i]);
    }
    set_words(fmt::format("{}_NUMBERS", name), numbers);
}

void CMakeWriter::set_words(std::string_view name, const std::vector<std::string>& words) {
    text_ += words.empty() ? fmt::format("set({} \"\")\n", name)
                           : fmt::format("set({} {})\n", name, support::join(words, " "));
}

} // namespace kbuild::generate
