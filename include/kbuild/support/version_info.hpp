#pragma once

#include <string_view>

namespace kbuild::support {

/// Which kbuild this is, fixed when it was built.
struct VersionInfo {
    std::string_view version; ///< `0.1.0`
    std::string_view commit;  ///< 40 hex digits; empty when built outside git
    bool dirty;               ///< whether tracked files differed from the commit
};

VersionInfo version_info();

} // namespace kbuild::support
