#include "kbuild/step/response_file.hpp"

namespace kbuild::step {
namespace {

constexpr std::string_view kSpace = " \t\n\v\f\r";

bool is_in(std::string_view set, char c) {
    return set.find(c) != std::string_view::npos;
}

} // namespace

std::vector<std::string> words_of_response_file(std::string_view text) {
    std::vector<std::string> words;
    bool within = false; // a word that may be empty so far: `""`
    char quote = 0;
    const auto word = [&]() -> std::string& {
        if (!within)
            words.emplace_back();
        within = true;
        return words.back();
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\\' && at + 1 < text.size())
            word() += text[++at];
        else if (quote != 0 ? c == quote : is_in("'\"", c)) {
            word();
            quote = quote != 0 ? '\0' : c;
        } else if (quote == 0 && is_in(kSpace, c))
            within = false;
        else
            word() += c;
    }
    return words;
}

std::string response_file(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) {
        if (word.empty())
            text += "''";
        for (const char c : word) {
            if (is_in(kSpace, c) || is_in("'\"\\", c))
                text += '\\';
            text += c;
        }
        text += '\n';
    }
    return text;
}

} // namespace kbuild::step
