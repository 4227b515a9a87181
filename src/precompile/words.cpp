#include "words.hpp"

#include <algorithm>
#include <vector>

namespace kbuild::precompile {
namespace {

bool is_letter(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace

void collect_words(std::string_view text, std::unordered_set<std::string>& words) {
    for (std::size_t at = 0; at < text.size();) {
        if (!is_letter(text[at])) {
            ++at;
            continue;
        }
        const auto begin = at;
        while (at < text.size() && (is_letter(text[at]) || is_digit(text[at])))
            ++at;
        words.emplace(text.substr(begin, at - begin));
    }
}

std::string word_list(const std::unordered_set<std::string>& words) {
    std::vector<std::string_view> sorted(words.begin(), words.end());
    std::sort(sorted.begin(), sorted.end());
    std::string list = "\n";
    for (const auto& word : sorted)
        list.append(word).append(1, '\n');
    return list;
}

} // namespace kbuild::precompile
