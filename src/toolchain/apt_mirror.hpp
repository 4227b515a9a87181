#pragma once

#include "kbuild/support/result.hpp"

#include <string>
#include <string_view>

namespace kbuild::toolchain {

/// Where a distribution's archive is, for this machine.
struct AptMirror {
    std::string uri;     ///< what stands before `dists/`
    std::string keyring; ///< file with the archive's keys; empty: those that apt trusts
};

/// The archive of `distribution`: `$KBUILD_DEBIAN_MIRROR` (for Debian), else what the machine's own
/// apt is configured with. An Error of kind `toolchain` says what to set where there is none.
support::Result<AptMirror> find_apt_mirror(const std::string& distribution);

/// From the lines `ORIGIN CODENAME URI` of `apt-get indextargets`; empty if none fits.
std::string mirror_from_targets(std::string_view text, std::string_view distribution);

/// From `apt-get update --print-uris`, for a machine without package lists; empty if none fits.
std::string mirror_from_uris(std::string_view text, std::string_view distribution);

} // namespace kbuild::toolchain
