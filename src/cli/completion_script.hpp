#pragma once

#include <string>
#include <vector>

namespace kbuild::cli {

/// What a shell needs to know of one subcommand.
struct CompletionEntry {
    std::string command;
    std::string summary;
    std::vector<std::string> options; ///< long names with dashes, sorted
};

std::string bash_completion(const std::vector<CompletionEntry>& entries);
std::string zsh_completion(const std::vector<CompletionEntry>& entries);

} // namespace kbuild::cli
