#pragma once

#include "kbuild/publish/upload.hpp"

namespace kbuild::publish {

/// What every step of an upload needs.
struct Run {
    const hub::Connection& connection;
    const PlanOptions& options;
    const LocalContent& content;
    Journal& journal;
    const UploadEvents& events;
};

/// Where the commit of a branch goes.
struct Destination {
    std::string revision;             ///< the branch, or `refs/pr/3`
    bool create_pull_request = false; ///< against `revision`
};

/// The branch itself; with `--pr` the pull request that this upload opened before, or a new one.
support::Result<Destination> destination(const Run& run, const BranchPlan& plan);

/// How a commit ended.
struct Landing {
    bool moved = false; ///< it was not made: the branch has another head now
    std::string commit;
};

/// Makes the commit exactly once: where the answer is lost, the head (or the list of pull requests)
/// is read before it is sent again.
support::Result<Landing>
land(const Run& run, const BranchPlan& plan, const Destination& to, const hub::Commit& commit);

/// The first `count` bytes of a file.
support::Result<std::string> read_start(const std::filesystem::path& path, std::size_t count);

} // namespace kbuild::publish
