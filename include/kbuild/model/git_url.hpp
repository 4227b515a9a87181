#pragma once

#include <string_view>

namespace kbuild::model {

/// Whether `text` is what upstream takes for `upstream` and `source` (upstream.md 2.2): a URL with
/// the scheme http, https, git, ssh, git+ssh, git+https or git+http, or the `[user@]host:path` form
/// of scp with a relative path.
bool is_git_url(std::string_view text);

} // namespace kbuild::model
