#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <vector>

namespace kbuild::toolchain {

/// Unpacks .deb files over each other into `into`, several at a time; no maintainer script runs.
support::Result<void> unpack_debs(const std::vector<std::filesystem::path>& debs,
                                  const std::filesystem::path& into);

} // namespace kbuild::toolchain
