#include "kbuild/generate/cmake_writer.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::generate {

std::string cmake_literal(std::string_view text) {
    std::string fence;
    while (support::contains(text, "]" + fence + "]") || text.ends_with("]" + fence))
        fence += "=";
    // CMake drops a newline right after the opening bracket, so one that belongs to the text is
    // doubled.
    const std::string_view newline = text.starts_with('\n') ? "\n" : "";
    return fmt::format("[{}[{}{}]{}]", fence, newline, text, fence);
}

void CMakeWriter::comment(std::string_view text) {
    text_ += fmt::format("# {}\n", text);
}

void CMakeWriter::set(std::string_view name, std::string_view value) {
    text_ += fmt::format("set({} {})\n", name, cmake_literal(value));
}

void CMakeWriter::set_list(std::string_view name, const std::vector<std::string>& items) {
    if (items.empty()) {
        text_ += fmt::format("set({} \"\")\n", name);
        return;
    }
    text_ += fmt::format("set({}", name);
    for (const auto& item : items)
        text_ += "\n    " + cmake_literal(support::replace_all(item, ";", "\\;"));
    text_ += ")\n";
}

} // namespace kbuild::generate
