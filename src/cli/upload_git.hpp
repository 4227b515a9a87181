#pragma once

#include "upload.hpp"

#include "kbuild/publish/git_upload.hpp"

namespace kbuild::cli {

/// Where `--via git` pushes and with which token: the Hub's for the Hub's own host,
/// `KBUILD_GIT_TOKEN` (and the user in the address, or `KBUILD_GIT_USER`) for any other.
support::Result<publish::GitTarget> git_target(const UploadOptions& options,
                                               const HubSession& session,
                                               const hub::Repository& repository);

} // namespace kbuild::cli
