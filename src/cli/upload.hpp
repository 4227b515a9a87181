#pragma once

#include "hub_session.hpp"

#include "kbuild/cli/command.hpp"
#include "kbuild/config/build_config.hpp"
#include "kbuild/publish/policy.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace kbuild::cli {

/// What `kbuild upload` (and `build --and-upload`) was asked for.
struct UploadOptions {
    std::string dir;
    std::string repo_id;
    std::string repo_type = "kernel";
    std::string branch;
    bool is_private = false;
    bool pull_request = false;
    unsigned update_pr = 0;
    bool prune = false;
    bool dry_run = false;
    publish::Allowances allowed;
    std::string via = "http";
    std::string remote;
    std::string to;
    std::string output_json;
    std::string format = "text";
};

/// A project, or a folder of variants without one.
struct UploadProject {
    std::filesystem::path root;
    std::optional<config::BuildConfig> config;
};

/// `--repo-id`, else build.toml's; an Error of kind `usage` if neither says.
support::Result<hub::Repository> target_repository(const UploadProject& project,
                                                   const UploadOptions& options);

/// Asks the Hub whether this token may publish there: who it is, its role, the namespace. Says one
/// line. With `create` the repository is created, which proves the right to publish kernels.
support::Result<hub::Repository> prove_rights(const Context& context,
                                              const HubSession& session,
                                              const hub::Repository& repository,
                                              const UploadOptions& options,
                                              bool create);

support::Result<int> run_upload(const Context& context, const UploadOptions& options);

} // namespace kbuild::cli
