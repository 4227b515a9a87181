#pragma once

#include "kbuild/support/result.hpp"

#include <string>
#include <string_view>

namespace kbuild::git {

/// What `git diff` prints for a file `name` that was `before` and is `after`: a unified diff with
/// three lines around each change. Empty if there is no difference.
support::Result<std::string>
unified_diff(const std::string& name, std::string_view before, std::string_view after);

} // namespace kbuild::git
