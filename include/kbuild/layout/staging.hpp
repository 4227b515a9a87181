#pragma once

#include "kbuild/support/result.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <filesystem>
#include <string_view>

namespace kbuild::layout {

/// Where variants are put together before they are published: `<project>/.kbuild/stage`, or, if
/// `build_dir` is on another file system than the project, `<build_dir>/.kbuild-stage`.
std::filesystem::path stage_root(const std::filesystem::path& project,
                                 const std::filesystem::path& build_dir);

/// A new empty folder below `stage_root`; it is removed when the value dies.
support::Result<support::TempDir> stage_folder(const std::filesystem::path& stage_root,
                                               std::string_view variant_name);

/// Makes the staged folder the variant `target`, readable for all: others see the old one or the
/// new one, whole.
support::Result<void> publish(support::TempDir staged, const std::filesystem::path& target);

/// Removes what killed runs left in `stage_root`. Only for the holder of the project's lock.
support::Result<void> sweep_stage(const std::filesystem::path& stage_root);

} // namespace kbuild::layout
