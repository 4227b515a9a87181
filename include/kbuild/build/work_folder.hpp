#pragma once

#include "kbuild/support/file_lock.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/host.hpp"

#include <chrono>
#include <filesystem>
#include <functional>

namespace kbuild::build {

/// `.kbuild` of a project: everything in it is kbuild's own and can be deleted at any time.
struct WorkFolder {
    std::filesystem::path root;    ///< `.kbuild`
    std::filesystem::path trees;   ///< generated CMake projects, one folder per tree
    std::filesystem::path headers; ///< registration.h
    std::filesystem::path work;    ///< build folders and build.ninja over all trees; what is
                                   ///< remembered of compiles (`memory`)
    std::filesystem::path stage;   ///< variants before they are published
    std::filesystem::path logs;
    /// The open lock of `trees` and `work` (lock_trees), inherited by all that work in them; -1:
    /// none.
    int lock = -1;
};

/// The paths, without touching anything.
WorkFolder work_folder(const std::filesystem::path& project);

/// Creates `.kbuild` with its CACHEDIR.TAG and .gitignore and nothing else; needs no lock.
support::Result<void> mark_as_ours(const WorkFolder& folder);

/// Creates the folder with its CACHEDIR.TAG and .gitignore and sweeps what killed runs left in the
/// stage; whether there was anything.
support::Result<bool> prepare(const WorkFolder& folder);

/// For `--fresh`: moves trees, objects and the lock of whom a killed kbuild left at work aside, so
/// that `prepare` makes them anew. CMake and Ninja are ended; others, as a compiler, go on where
/// they are, and harm nothing. What was moved is deleted, now or by a later `prepare`. The caller
/// holds the project's lock.
support::Result<void> set_trees_aside(const WorkFolder& folder, const toolchain::HostTools& tools);

/// Waits for programs that a killed kbuild left at work in `work`, at most `timeout`: they are
/// those that inherited the lock (decision 0047). `on_wait` gets a list of them: `c++ (pid 12)`.
/// The caller holds the project's lock, and keeps this one in `folder.lock`.
support::Result<support::FileLock>
lock_trees(const WorkFolder& folder,
           std::chrono::milliseconds timeout,
           const std::function<void(const std::string& programs)>& on_wait);

/// Whether `root` carries kbuild's CACHEDIR.TAG: only then `clean` deletes it.
bool is_ours(const std::filesystem::path& root);

} // namespace kbuild::build
