#pragma once

#include "kbuild/support/file_lock.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>

namespace kbuild::portable {

/// The one lock of all baselines of a store: whoever makes or removes one, or notes that one is
/// used after a long time, does so alone. Otherwise what is removed could be what another kbuild
/// just decided to use. Waits two minutes; then an Error of kind `lock`.
support::Result<support::FileLock> lock_baselines(const std::filesystem::path& store);

} // namespace kbuild::portable
