#pragma once

#include "kbuild/hub/api.hpp"
#include "kbuild/hub/lfs.hpp"
#include "kbuild/publish/journal.hpp"
#include "kbuild/publish/plan.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::publish {

/// Who hears of an upload's progress. `on_bytes` is called from several threads.
struct UploadEvents {
    std::function<void(const std::string& line)> say;
    std::function<void(std::uint64_t bytes, std::size_t objects)>
        on_start; ///< of a branch's objects
    std::function<void(std::int64_t)> on_bytes;
    std::function<void()> on_end;
};

/// What became of one branch.
struct BranchResult {
    enum class Kind { unchanged, committed, pull_request };
    std::string branch;
    Kind kind = Kind::unchanged;
    std::string commit;                        ///< empty if unchanged
    std::optional<std::uint64_t> pull_request; ///< its number
    std::string pull_request_url;
};

struct UploadResult {
    hub::Repository repository;
    std::string branch; ///< of the variants
    std::vector<BranchResult> branches;
    hub::LfsSummary objects;
    std::string url; ///< of a remote that is not the Hub; empty: made from the endpoint
};

/// Reads what the repository has: its main branch and the one for the variants. A branch for which
/// `pull_requests` has a number is read as that pull request leaves it.
support::Result<Remote> read_remote(const hub::Connection& connection,
                                    const hub::Repository& repository,
                                    const std::string& branch,
                                    const std::map<std::string, std::uint64_t>& pull_requests);

/// Creates the repository; that it is there already is fine. It is the only way to learn whether
/// the account may publish kernels: a refusal says how to get that right. Returns the repository
/// under the name that the server gives it.
support::Result<hub::Repository> ensure_repository(const hub::Connection& connection,
                                                   const hub::Repository& repository,
                                                   bool is_private);

/// Executes a plan for a repository that is there: objects, then one commit per branch, the
/// variants' before main's; compares the listing afterwards. A branch that moved meanwhile is
/// planned again once. Run again after any interruption it goes on: what is there is not sent, and
/// nothing is committed twice.
support::Result<UploadResult> upload(const hub::Connection& connection,
                                     const PlanOptions& options,
                                     const LocalContent& content,
                                     const UploadPlan& plan,
                                     Journal& journal,
                                     const UploadEvents& events);

/// The result for programs: upstream's keys (status, repo_id, branch, url, pull_requests) and
/// kbuild's.
std::string to_json(const UploadResult& result, const std::string& endpoint);

} // namespace kbuild::publish
