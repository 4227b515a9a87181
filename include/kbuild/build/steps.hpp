#pragma once

#include "kbuild/build/work_folder.hpp"
#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace kbuild::build {

/// Names in the folder where Ninja runs: links to the programs of `step`, and what kbuild-step
/// works with. Commands name the links, so that they are the same wherever kbuild lies.
inline constexpr std::string_view kStepProgram = "kbuild-step";
inline constexpr std::string_view kBundleProgram = "kbuild-bundle";
inline constexpr std::string_view kLinkProgram = "kbuild-link";
inline constexpr std::string_view kMemoryFolder = "memory";

/// Such a program beside an installed kbuild, or in the build tree; none in an incomplete one.
std::optional<std::filesystem::path> find_step_program(std::string_view name);

/// Makes the links, and writes down what heavy compiles may hold together, in bytes (0: no limit).
support::Result<void> prepare_steps(const WorkFolder& folder, std::uint64_t budget);

} // namespace kbuild::build
