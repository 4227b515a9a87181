#pragma once

#include "kbuild/build/work_folder.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/host.hpp"

#include <filesystem>
#include <vector>

namespace kbuild::build {

/// Ninja compares times, and times can lie: a file from a backup, from `cp -p`, from a clock that
/// was set back has another content and is older than the object made of the one before. Compares
/// the project's files with what they held when objects were last made, deletes the objects of
/// files that Ninja would take for old, and notes what the files hold now.
///
/// `files`: absolute; those that the note of the last run names are looked at as well.
support::Result<void> forget_outdated_objects(const WorkFolder& folder,
                                              const toolchain::HostTools& tools,
                                              const std::vector<std::filesystem::path>& files);

} // namespace kbuild::build
