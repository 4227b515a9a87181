#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string_view>

namespace kbuild::portable {

/// Where the store remembers which baseline a compiler and a kbuild use, one small file each.
inline constexpr std::string_view kMemories = ".baselines";
inline constexpr std::string_view kBaselinePrefix = "baseline-";

/// Keeps the file's time at its last use, to a day: a store that may only be read stays as it is.
void note_use(const std::filesystem::path& memory);

/// Removes what no kbuild used for ninety days: memories, and baselines that no other memory names.
support::Result<void> remove_stale_baselines(const std::filesystem::path& store);

} // namespace kbuild::portable
