#include "kbuild/publish/upload.hpp"

#include "branch_commit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::publish {
namespace {

using support::ErrorKind;
using support::Result;

constexpr std::size_t kSample = 512; ///< bytes of a file that the Hub judges it by

/// Why the Hub may refuse to create a kernel though the token may write: the account itself needs
/// the right to publish kernels.
support::Error explain_creation(support::Error error, const hub::Repository& repository) {
    const bool refused = support::Error(error).message.find("status 403") != std::string::npos;
    if (refused && repository.type == hub::RepositoryType::kernel)
        error.hint = fmt::format(
            "publishing kernels is a right that the Hub gives to an account or organisation on "
            "request: "
            "ask for it in the settings of `{}`, or publish as a model with `--repo-type model`",
            repository.owner);
    return error;
}

Result<std::string> sample_of(const LocalFile& file) {
    if (file.source.empty())
        return file.text.substr(0, kSample);
    return read_start(file.source, kSample);
}

/// The changed files of a plan and how the server wants each.
struct Sorted {
    std::vector<const LocalFile*> regular;
    std::vector<const LocalFile*> lfs;
};

Result<Sorted> sort_files(const Run& run, const BranchPlan& plan, const Destination& to) {
    std::vector<const LocalFile*> files;
    std::vector<hub::Candidate> candidates;
    for (const auto& change : plan.changes) {
        if (change.action != Action::add && change.action != Action::replace)
            continue;
        KB_TRY_ASSIGN(sample, sample_of(*change.local));
        files.push_back(change.local);
        candidates.push_back({change.path, change.size, std::move(sample)});
    }
    KB_TRY_ASSIGN(modes,
                  hub::preupload(run.connection,
                                 run.options.repository,
                                 to.revision,
                                 candidates,
                                 to.create_pull_request));
    Sorted sorted;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (modes[i].ignored)
            return support::fail(
                ErrorKind::content,
                fmt::format("the repository's .gitignore leaves out `{}`", files[i]->path),
                "take the line out of .gitignore there");
        const bool lfs = modes[i].lfs && !files[i]->source.empty();
        (lfs ? sorted.lfs : sorted.regular).push_back(files[i]);
    }
    return sorted;
}

Result<void>
send_objects(const Run& run, const Sorted& files, const Destination& to, hub::LfsSummary& summary) {
    if (files.lfs.empty())
        return {};
    std::vector<hub::LfsObject> objects;
    std::uint64_t bytes = 0;
    for (const auto* const file : files.lfs) {
        objects.push_back({file->sha256, file->size, file->source});
        bytes += file->size;
    }
    const auto remote = hub::lfs_remote(run.connection,
                                        run.options.repository,
                                        to.create_pull_request ? std::string() : to.revision);
    const hub::LfsEvents events{
        run.events.on_bytes, [&run](const std::string& oid) { run.journal.object_arrived(oid); }};
    if (run.events.on_start)
        run.events.on_start(bytes, objects.size());
    const auto sent = hub::upload_objects(run.connection, remote, std::move(objects), events);
    if (run.events.on_end)
        run.events.on_end();
    if (!sent)
        return tl::unexpected(sent.error());
    summary.sent += sent->sent;
    summary.present += sent->present;
    summary.bytes += sent->bytes;
    return {};
}

Result<hub::Commit>
make_commit(const BranchPlan& plan, const Sorted& files, const Destination& to) {
    hub::Commit commit;
    commit.summary = "Uploaded using `kbuild`";
    commit.parent = plan.parent;
    commit.create_pull_request = to.create_pull_request;
    for (const auto* const file : files.regular) {
        KB_TRY_ASSIGN(content, read_content(*file));
        commit.files.push_back({file->path, std::move(content)});
    }
    for (const auto* const file : files.lfs)
        commit.lfs_files.push_back({file->path, file->sha256, file->size});
    for (const auto& change : plan.changes)
        if (change.action == Action::remove)
            commit.deleted.push_back(change.path);
    return commit;
}

/// The branch's plan over what is there now.
Result<BranchPlan> plan_again(const Run& run, const std::string& branch) {
    KB_TRY_ASSIGN(remote,
                  read_remote(run.connection,
                              run.options.repository,
                              run.options.branch,
                              run.journal.entries().pull_requests));
    const auto plan = make_plan(run.options, run.content, remote);
    for (const auto& candidate : plan.branches)
        if (candidate.branch == branch)
            return candidate;
    return BranchPlan{branch};
}

BranchResult result_of(const Run& run, const BranchPlan& plan, const Landing& landing) {
    BranchResult result;
    result.branch = plan.branch;
    result.commit = landing.commit;
    result.kind =
        landing.commit.empty() ? BranchResult::Kind::unchanged : BranchResult::Kind::committed;
    const auto& numbers = run.journal.entries().pull_requests;
    if (const auto found = numbers.find(plan.branch); found != numbers.end()) {
        result.kind = BranchResult::Kind::pull_request;
        result.pull_request = found->second;
        result.pull_request_url = fmt::format("{}{}/discussions/{}",
                                              run.connection.endpoint,
                                              run.options.repository.page_path(),
                                              found->second);
    }
    return result;
}

Result<void> check_listing(const Run& run, const BranchPlan& plan, const std::string& commit) {
    KB_TRY_ASSIGN(files, hub::tree(run.connection, run.options.repository, commit));
    const auto wrong = difference(plan, files);
    if (!wrong)
        return {};
    return support::fail(
        ErrorKind::network,
        fmt::format("branch `{}` is not what was committed: {}", plan.branch, *wrong),
        "somebody else writes to the branch, or the server lost a file: run the same "
        "command again");
}

/// One branch: objects, commit, listing. A branch that moved is planned again once.
Result<BranchResult> publish_branch(const Run& run, BranchPlan plan, hub::LfsSummary& summary) {
    for (bool again = false;; again = true) {
        KB_TRY_ASSIGN(to, destination(run, plan));
        if (!plan.has_changes())
            return result_of(run, plan, {});
        if (plan.create)
            KB_TRY(hub::create_branch(
                run.connection, run.options.repository, plan.branch, plan.parent));
        KB_TRY_ASSIGN(files, sort_files(run, plan, to));
        KB_TRY(send_objects(run, files, to, summary));
        KB_TRY_ASSIGN(commit, make_commit(plan, files, to));
        KB_TRY_ASSIGN(landing, land(run, plan, to, commit));
        if (!landing.moved) {
            KB_TRY(check_listing(run, plan, landing.commit));
            return result_of(run, plan, landing);
        }
        if (again)
            return support::fail(
                ErrorKind::network,
                fmt::format("branch `{}` keeps moving: somebody else publishes at the "
                            "same time",
                            plan.branch),
                "nothing was committed to it; run the same command again later");
        run.events.say(fmt::format("branch `{}` has a new commit by somebody else: planning again",
                                   plan.branch));
        KB_TRY_ASSIGN(next, plan_again(run, plan.branch));
        plan = std::move(next);
    }
}

} // namespace

Result<hub::Repository> ensure_repository(const hub::Connection& connection,
                                          const hub::Repository& repository,
                                          bool is_private) {
    auto created = hub::create_repository(connection, repository, is_private);
    if (!created)
        return tl::unexpected(explain_creation(std::move(created.error()), repository));
    return created;
}

Result<UploadResult> upload(const hub::Connection& connection,
                            const PlanOptions& options,
                            const LocalContent& content,
                            const UploadPlan& plan,
                            Journal& journal,
                            const UploadEvents& events) {
    const Run run{connection, options, content, journal, events};
    UploadResult result;
    result.repository = options.repository;
    result.branch = options.branch;
    for (const auto& branch : plan.branches) {
        KB_TRY_ASSIGN(done, publish_branch(run, branch, result.objects));
        result.branches.push_back(std::move(done));
    }
    journal.finish();
    return result;
}

} // namespace kbuild::publish
