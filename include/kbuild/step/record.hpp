#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::step {

/// What is remembered of a unit: how much memory the largest process of its compile held, in bytes.
struct Peak {
    std::string unit; ///< what the compile makes, as Ninja names it
    std::uint64_t remembered = 0;
    std::uint64_t last = 0; ///< of the last run, which may have found the object in a cache
    auto operator<=>(const Peak&) const = default;
};

/// The names in the folder that a step works with (its first argument).
inline constexpr const char* kPeaks = "peaks";   ///< a file for each unit
inline constexpr const char* kBudget = "budget"; ///< bytes for heavy units; no file: no limit
inline constexpr const char* kRunning = "running";

/// The peak after a run that measured `last`. Less than any compiler needs was a cache's hit, which
/// says nothing about the compile.
Peak updated(Peak old, std::uint64_t last);

/// Of one unit; zeros if nothing (or nothing that can be read) is remembered.
Peak read_peak(const std::filesystem::path& folder, const std::string& unit);

/// Replaces the unit's file in one step. That it fails costs a memory only, so it is no error.
void write_peak(const std::filesystem::path& folder, const Peak& peak);

/// Of all units, sorted.
std::vector<Peak> read_peaks(const std::filesystem::path& folder);

} // namespace kbuild::step
