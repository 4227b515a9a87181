#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace kbuild::portable {

/// Where the store remembers which baseline a compiler and a kbuild use, one small file each.
inline constexpr std::string_view kMemories = ".baselines";

/// Keeps the time of a memory, named within kMemories, at its last use, to a day: a store that may
/// only be read stays as it is. To be called before the baseline is looked for: one that is noted
/// is not removed, and one that was removed meanwhile is not there.
void note_use(const std::filesystem::path& store, const std::string& memory);

/// Removes what no kbuild used for ninety days: memories, and baselines that no other memory names.
/// To be called under lock_baselines().
support::Result<void> remove_stale_baselines(const std::filesystem::path& store);

} // namespace kbuild::portable
