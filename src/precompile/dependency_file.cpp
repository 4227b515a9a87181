#include "dependency_file.hpp"

#include <string>

namespace kbuild::precompile {

std::vector<std::filesystem::path> read_dependencies(std::string_view text) {
    std::vector<std::filesystem::path> paths;
    const auto colon = text.find(": ");
    if (colon == std::string_view::npos)
        return paths;
    std::string word;
    const auto finish = [&] {
        if (!word.empty())
            paths.emplace_back(word);
        word.clear();
    };
    for (std::size_t at = colon + 2; at < text.size(); ++at) {
        const char c = text[at];
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (c == '\\' && next == '\n') {
            finish();
            ++at;
        } else if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
            word += next;
            ++at;
        } else if (c == '$' && next == '$') {
            word += '$';
            ++at;
        } else if (c == ' ' || c == '\n') {
            finish();
        } else {
            word += c;
        }
    }
    finish();
    return paths;
}

} // namespace kbuild::precompile
