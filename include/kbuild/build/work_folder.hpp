#pragma once

#include "kbuild/support/file_lock.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>

namespace kbuild::build {

/// `.kbuild` of a project: everything in it is kbuild's own and can be deleted at any time.
struct WorkFolder {
    std::filesystem::path root;    ///< `.kbuild`
    std::filesystem::path trees;   ///< generated CMake projects, one folder per tree
    std::filesystem::path headers; ///< registration.h
    std::filesystem::path work;    ///< build folders and build.ninja over all trees
    std::filesystem::path stage;   ///< variants before they are published
    std::filesystem::path logs;
};

/// The paths, without touching anything.
WorkFolder work_folder(const std::filesystem::path& project);

/// Creates `.kbuild` with its CACHEDIR.TAG and .gitignore and nothing else; needs no lock.
support::Result<void> mark_as_ours(const WorkFolder& folder);

/// Creates the folder with its CACHEDIR.TAG and .gitignore and sweeps what killed runs left in the
/// stage.
support::Result<void> prepare(const WorkFolder& folder);

/// Whether `root` carries kbuild's CACHEDIR.TAG: only then `clean` deletes it.
bool is_ours(const std::filesystem::path& root);

} // namespace kbuild::build
