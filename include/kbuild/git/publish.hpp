#pragma once

#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::git {

/// A repository to publish to. `user` and `password` are only sent to it; empty: none.
struct Remote {
    std::string url;
    std::string user;
    std::string password;
    std::string ca_file; ///< certificates to trust; empty: the system's
};

/// A file of a branch. For an LFS pointer `sha256` and `size` are those of the object.
struct BranchFile {
    std::string path;
    std::string blob_id;
    std::uint64_t size = 0;
    std::string sha256; ///< of LFS files
    bool operator==(const BranchFile&) const = default;
};

struct Branch {
    std::string head;              ///< commit
    std::vector<BranchFile> files; ///< sorted by path
};

/// One file of a commit: from disk, or these bytes, or its removal.
struct FileChange {
    std::string path;
    std::filesystem::path source;
    std::string text; ///< if there is no source
    bool remove = false;
};

/// Fetches all branches of `remote` into the bare repository `folder`, which is made if it is not
/// there. An Error of kind `network` never shows the password.
support::Result<void> fetch(const std::filesystem::path& folder, const Remote& remote);

/// A fetched branch; none if the remote does not have it.
support::Result<std::optional<Branch>> read_branch(const std::filesystem::path& folder,
                                                   const std::string& name);

/// Which of `paths` `.gitattributes` of a commit puts under LFS, in their order.
support::Result<std::vector<bool>> under_lfs(const std::filesystem::path& folder,
                                             const std::string& commit,
                                             const std::vector<std::string>& paths);

/// Commits changes onto `parent` (empty: as a first commit) as the local branch `branch`; returns
/// the commit. Author and committer are `name` and `email`.
support::Result<std::string> commit(const std::filesystem::path& folder,
                                    const std::string& branch,
                                    const std::string& parent,
                                    const std::vector<FileChange>& changes,
                                    const std::string& message);

/// Pushes the local branch; a branch that moved meanwhile is an Error of kind `network`.
support::Result<void>
push(const std::filesystem::path& folder, const Remote& remote, const std::string& branch);

/// `version https://git-lfs…` to (SHA-256, size); none if the text is no pointer.
std::optional<std::pair<std::string, std::uint64_t>> parse_pointer(std::string_view text);

} // namespace kbuild::git
