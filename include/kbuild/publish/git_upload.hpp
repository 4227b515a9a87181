#pragma once

#include "kbuild/git/publish.hpp"
#include "kbuild/publish/upload.hpp"

#include <filesystem>
#include <string>

namespace kbuild::publish {

/// A git repository with an LFS server beside it.
struct GitTarget {
    git::Remote remote;
    std::string lfs_url; ///< `https://host/owner/name.git/info/lfs`
};

/// The LFS endpoint that git-lfs would guess for a remote: `<url>.git/info/lfs`.
std::string guess_lfs_url(std::string url);

/// Fetches the branches into `work` and reads them, for make_plan().
support::Result<Remote> read_git_remote(const GitTarget& target,
                                        const std::string& branch,
                                        const std::filesystem::path& work);

/// Publishes over git: fetches the branches into `work`, plans, sends what `.gitattributes` puts
/// under LFS to the LFS server, and pushes one commit per branch, the variants' before main's. A
/// repository without `.gitattributes` gets one that puts libraries under LFS.
support::Result<UploadResult> upload_by_git(const hub::Connection& connection,
                                            const GitTarget& target,
                                            const PlanOptions& options,
                                            const LocalContent& content,
                                            const std::filesystem::path& work,
                                            const UploadEvents& events);

/// Makes a checkout of `folder` hold what the version branch and README.md are to be, for a commit
/// by hand: stale files of the uploaded variants are removed, everything else is left alone.
/// Returns the number of files written.
support::Result<std::size_t> write_checkout(const LocalContent& content,
                                            const std::filesystem::path& folder);

} // namespace kbuild::publish
