#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>

namespace kbuild::support {

/// Puts the folder `staged` in the place of `target` in one step: a reader sees the old folder or
/// the new one. With an existing target the two are exchanged (renameat2) and the old one is
/// removed afterwards; where the file system cannot exchange, the old one is renamed away first (it
/// is put back if the second rename fails). Both must be on one file system.
Result<void> publish_folder(const std::filesystem::path& staged,
                            const std::filesystem::path& target);

} // namespace kbuild::support
