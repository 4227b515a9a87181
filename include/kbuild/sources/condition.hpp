#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::sources {

/// A macro that is known to be defined (true) or known not to be (false); others are unknown.
using Macros = std::map<std::string, bool, std::less<>>;

/// One branch of an `#if … #elif … #else … #endif`.
struct Branch {
    int parent = -1;                  ///< the branch around it; -1: none
    std::vector<std::string> earlier; ///< expressions of the branches before it
    std::string expression;           ///< what must hold; empty for `#else`
};

/// Whether a preprocessor expression holds; none if that depends on what is not known. `defined`,
/// `!`, `&&`, `||`, parentheses and integers are understood, all else is unknown.
std::optional<bool> evaluate(std::string_view expression, const Macros& macros);

/// Whether the compiler sees what stands in `branches[index]`; an index of -1 is always seen.
std::optional<bool> is_seen(const std::vector<Branch>& branches, int index, const Macros& macros);

} // namespace kbuild::sources
