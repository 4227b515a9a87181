#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace kbuild::precompile {

/// Everything that looks like an identifier, comments included: too many rather than too few.
void collect_words(std::string_view text, std::unordered_set<std::string>& words);

/// Sorted, each between two newlines.
std::string word_list(const std::unordered_set<std::string>& words);

} // namespace kbuild::precompile
