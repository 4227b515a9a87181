#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>

namespace kbuild::cli {

/// The folder of the emulator's libraries: `hip6` and `hip7` with libamdhip64.so.6 and .so.7, and
/// `python`; beside an installed kbuild, or in the build tree.
support::Result<std::filesystem::path> find_stand_ins();

} // namespace kbuild::cli
