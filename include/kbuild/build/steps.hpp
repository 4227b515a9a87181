#pragma once

#include "kbuild/build/work_folder.hpp"
#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace kbuild::build {

/// Names in the folder where Ninja runs: a link to kbuild-step, and what it works with. Compile
/// commands name the link, so that they are the same wherever kbuild lies.
inline constexpr std::string_view kStepProgram = "kbuild-step";
inline constexpr std::string_view kMemoryFolder = "memory";

/// kbuild-step beside an installed kbuild, or in the build tree; none in an incomplete one.
std::optional<std::filesystem::path> find_step_program();

/// Makes the link, and writes down what heavy compiles may hold together, in bytes (0: no limit).
support::Result<void> prepare_steps(const WorkFolder& folder, std::uint64_t budget);

} // namespace kbuild::build
