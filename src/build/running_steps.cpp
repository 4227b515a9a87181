#include "running_steps.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace kbuild::build {
namespace {

constexpr std::string_view kBundlersOutput = "-output=";

/// The words of a shell's command as far as Ninja's and CMake's quoting goes.
std::vector<std::string> words_of(std::string_view command) {
    std::vector<std::string> words(1);
    char quote = 0;
    for (const char c : command) {
        if (quote != 0 ? c == quote : c == '\'' || c == '"')
            quote = quote != 0 ? '\0' : c;
        else if (quote == 0 && c == ' ')
            words.emplace_back();
        else
            words.back() += c;
    }
    return words;
}

/// Empty if it is not there. Files of /proc do not tell their size, and a process may end between
/// opening and reading its own (ESRCH): an iterator over the stream would throw then.
std::string text_of(const std::string& path) {
    const std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace

std::optional<std::string> output_of_command(const std::vector<std::string>& words) {
    // A shell that has not become its command yet.
    if (words.size() >= 3 && words[0].ends_with("sh") && words[1] == "-c")
        return output_of_command(words_of(words[2]));
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "-o" && i + 1 < words.size())
            return words[i + 1];
        if (words[i].starts_with(kBundlersOutput))
            return words[i].substr(kBundlersOutput.size());
    }
    return std::nullopt;
}

std::vector<std::string> running_outputs(int ninja) {
    const auto children = text_of(fmt::format("/proc/{0}/task/{0}/children", ninja));
    std::vector<std::string> outputs;
    for (const auto& pid : support::split(children, ' '))
        if (!pid.empty()) {
            const auto words = support::split(text_of(fmt::format("/proc/{}/cmdline", pid)), '\0');
            if (auto output = output_of_command(words))
                outputs.push_back(std::move(*output));
        }
    std::sort(outputs.begin(), outputs.end());
    return outputs;
}

} // namespace kbuild::build
