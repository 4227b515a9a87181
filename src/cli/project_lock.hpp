#pragma once

#include "kbuild/build/work_folder.hpp"
#include "kbuild/cli/command.hpp"
#include "kbuild/support/file_lock.hpp"

namespace kbuild::cli {

/// The lock of a project, held while its `.kbuild` or `build` is changed; says for whom it waits
/// and where the file system has no locks. Waits five minutes, or `KBUILD_LOCK_TIMEOUT` seconds.
support::Result<support::FileLock> lock_project(const Context& context,
                                                const build::WorkFolder& folder);

/// The lock of its trees (build::lock_trees), taken after that of the project; says for whom it
/// waits.
support::Result<support::FileLock> lock_trees(const Context& context,
                                              const build::WorkFolder& folder);

} // namespace kbuild::cli
