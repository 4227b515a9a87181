#pragma once

#include "project.hpp"

#include "kbuild/cli/command.hpp"
#include "kbuild/config/toolchain_lock.hpp"
#include "kbuild/matrix/select.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/add.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kbuild::cli {

/// What a selection would be locked as.
config::ToolchainLock lock_of(const matrix::BuildSet& set);

/// Compares the selection with the project's kbuild.lock. With `--locked` a missing lock and any
/// difference are an Error of kind `toolchain` that names each item; else differences are notes.
/// `partial`: filters chose among the variants.
support::Result<void> check_lock(const Context& context,
                                 const Project& project,
                                 const matrix::BuildSet& set,
                                 bool partial);

/// With `--locked` only the files that the project's kbuild.lock names for an SDK will do, with the
/// extra libraries that are locked; else nothing changes.
support::Result<void> hold_to_lock(const Context& context,
                                   const std::filesystem::path& root,
                                   const std::string& sdk,
                                   toolchain::AddOptions& options);

/// `kbuild toolchain lock`: writes kbuild.lock of the project that `dir` is in.
support::Result<int> write_lock(const Context& context, const std::string& dir);

/// Projects whose kbuild.lock names the SDK, as far as kbuild wrote the lock on this machine.
std::vector<std::filesystem::path> projects_that_lock(const std::string& sdk);

} // namespace kbuild::cli
