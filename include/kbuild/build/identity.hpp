#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/layout/metadata.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace kbuild::build {

/// What tells one state of a project from another.
struct Identity {
    std::string unique_id;                     ///< last part of the ops id
    std::optional<layout::CommitState> commit; ///< none outside git
    std::string doubt; ///< why a repository around the project could not be asked; usually empty
};

/// The project's files that a build reads: build.toml, the listed sources, the Python package.
support::Result<std::set<std::filesystem::path>> input_files(const std::filesystem::path& root,
                                                             const config::BuildConfig& config);

/// From git: seven digits of HEAD's tree, `_dirty` if tracked files differ. Without git upstream
/// takes a random id; kbuild takes a hash of build.toml, of the binding and of the Python
/// package, so that the same sources give the same binary; a repository that libgit2 cannot read
/// (one with SHA-256 ids) counts as none, with a `doubt`.
support::Result<Identity> identify(const std::filesystem::path& root,
                                   const config::BuildConfig& config);

} // namespace kbuild::build
