#include "ninja_text.hpp"

#include "kbuild/support/strings.hpp"

namespace kbuild::generate {
namespace {

std::string quote_for_shell(const std::string& word) {
    return is_plain_word(word) ? word : "'" + support::replace_all(word, "'", "'\\''") + "'";
}

} // namespace

bool is_plain_word(std::string_view word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        "-_=/.,:+@%";
    return !word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos;
}

std::string ninja_path(std::string path) {
    for (const auto* special : {"$", " ", ":"})
        path = support::replace_all(path, special, std::string("$") + special);
    return path;
}

std::string ninja_command(const std::vector<std::string>& words) {
    std::vector<std::string> quoted;
    for (const auto& word : words)
        quoted.push_back(quote_for_shell(word));
    return support::replace_all(support::join(quoted, " "), "$", "$$");
}

} // namespace kbuild::generate
