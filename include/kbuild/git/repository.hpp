#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::git {

/// What a work tree is at.
struct HeadState {
    std::string commit; ///< id of the commit that HEAD names, 40 hex digits
    std::string tree;   ///< id of that commit's tree
    bool dirty = false; ///< a tracked file differs from the commit, in the index or on disk;
                        ///< untracked and ignored files and submodules do not count
    bool operator==(const HeadState&) const = default;
};

/// The state of the repository that `folder` is in; none if it is in none, the repository has no
/// commit yet, or it has no work tree. Reads only; another owner of the repository is no obstacle.
/// A repository that cannot be read (damaged, or with an object format that libgit2 does not know)
/// is an Error.
support::Result<std::optional<HeadState>> head_state(const std::filesystem::path& folder);

/// Makes `folder` a repository and stages `paths` (relative to it). False, and nothing is done, if
/// it is in the work tree of a repository already.
support::Result<bool> start_repository(const std::filesystem::path& folder,
                                       const std::vector<std::filesystem::path>& paths);

/// The unique part of an ops id (upstream.md 3.8): the first 7 digits of HEAD's tree id, with
/// `_dirty` if the work tree is; without git `content_id`, a name for the sources' content that the
/// caller computes.
std::string unique_id(const std::optional<HeadState>& state, std::string_view content_id);

} // namespace kbuild::git
