#include "ninja_text.hpp"

#include "kbuild/support/strings.hpp"

namespace kbuild::generate {

std::string ninja_path(std::string path) {
    for (const auto* special : {"$", " ", ":"})
        path = support::replace_all(path, special, std::string("$") + special);
    return path;
}

std::string ninja_command(const std::vector<std::string>& words) {
    std::vector<std::string> quoted;
    for (const auto& word : words)
        quoted.push_back(support::shell_quote(word));
    return support::replace_all(support::join(quoted, " "), "$", "$$");
}

} // namespace kbuild::generate
