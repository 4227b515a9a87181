#include "upload.hpp"

#include "project.hpp"
#include "transfer_line.hpp"
#include "upload_content.hpp"
#include "upload_git.hpp"

#include "kbuild/build/work_folder.hpp"
#include "kbuild/publish/upload.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/file_lock.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

Result<UploadProject> find_upload_project(const Context& context, const std::string& dir) {
    if (dir.empty() || support::is_file(fs::path(dir) / "build.toml")) {
        KB_TRY_ASSIGN(project, load_project(context, dir));
        return UploadProject{std::move(project.root), std::move(project.config)};
    }
    return UploadProject{dir, std::nullopt};
}

/// What this upload keeps between runs, with the project's work or in the cache, without an
/// extension.
fs::path kept_place(const UploadProject& project,
                    const publish::PlanOptions& plan,
                    const std::string& endpoint) {
    support::Fingerprint key;
    key.add("endpoint", endpoint)
        .add("type", hub::to_string(plan.repository.type))
        .add("repository", plan.repository.id())
        .add("branch", plan.branch)
        .add("pull request", plan.pull_request ? "yes" : "no");
    const auto folder = project.config ? build::work_folder(project.root).root / "upload"
                                       : support::cache_home() / "upload";
    return folder / key.hex().substr(0, 16);
}

/// Keeps builds and other uploads of the project away.
Result<support::FileLock> lock(const Context& context, const UploadProject& project) {
    const auto folder = build::work_folder(project.root);
    const auto file = project.config ? folder.root / "lock" : support::cache_home() / "upload/lock";
    KB_TRY_ASSIGN(
        held, support::FileLock::acquire(file, std::chrono::minutes(5), [&](const auto& holder) {
            context.say(fmt::format("waiting for {} to finish", holder));
        }));
    if (project.config)
        KB_TRY(build::prepare(folder));
    return held;
}

std::string result_text(const publish::UploadResult& result, const hub::Connection& connection) {
    std::string text;
    for (const auto& branch : result.branches)
        if (branch.pull_request)
            text += fmt::format("pull request {} against {}: {}\n",
                                *branch.pull_request,
                                branch.branch,
                                branch.pull_request_url);
    if (text.empty())
        text = hub::tree_url(connection, result.repository, result.branch) + "\n";
    return text;
}

std::string summary(const publish::UploadResult& result) {
    std::vector<std::string> parts;
    for (const auto& branch : result.branches)
        parts.push_back(
            branch.kind == publish::BranchResult::Kind::unchanged
                ? fmt::format("{}: nothing to change", branch.branch)
                : fmt::format("{}: commit {}", branch.branch, branch.commit.substr(0, 12)));
    return fmt::format("{}; {} sent ({}), {} were there",
                       support::join(parts, ", "),
                       support::plural(result.objects.sent, "object"),
                       support::human_size(result.objects.bytes),
                       result.objects.present);
}

Result<int>
show_plan(const Context& context, const UploadOptions& options, const publish::UploadPlan& plan) {
    context.data(options.format == "json" ? publish::to_json(plan) : publish::to_text(plan));
    return 0;
}

Result<void> show_result(const Context& context,
                         const UploadOptions& options,
                         const HubSession& session,
                         const publish::UploadResult& result) {
    const auto json = publish::to_json(result, session.endpoint());
    if (!options.output_json.empty())
        KB_TRY(support::write_file_atomically(options.output_json, json));
    context.say(summary(result));
    context.data(options.format == "json" ? json : result_text(result, session.connection()));
    return {};
}

publish::UploadEvents events_for(const Context& context, TransferLine& line) {
    publish::UploadEvents events;
    events.say = [&context](const std::string& text) { context.say(text); };
    events.on_start = [&line](std::uint64_t bytes, std::size_t count) { line.start(bytes, count); };
    events.on_bytes = [&line](std::int64_t bytes) { line.add(bytes); };
    events.on_end = [&line] { line.finish(); };
    return events;
}

Result<int> execute(const Context& context,
                    const UploadOptions& options,
                    const UploadProject& project,
                    const HubSession& session,
                    const publish::PlanOptions& plan_options,
                    const publish::LocalContent& content) {
    const auto connection = session.connection();
    KB_TRY_ASSIGN(held, lock(context, project));
    publish::Journal journal(kept_place(project, plan_options, session.endpoint()).string() +
                             ".json");
    if (journal.resumed())
        context.say(fmt::format("going on with an upload that was interrupted: {} had arrived",
                                support::plural(journal.entries().objects.size(), "object")));
    if (options.update_pr != 0)
        journal.pull_request_opened(plan_options.branch, options.update_pr);
    KB_TRY_ASSIGN(remote,
                  publish::read_remote(connection,
                                       plan_options.repository,
                                       plan_options.branch,
                                       journal.entries().pull_requests));
    const auto plan = publish::make_plan(plan_options, content, remote);
    if (options.format == "text" && context.globals().verbosity > 0)
        context.say(publish::to_text(plan));
    TransferLine line(context, "sending");
    const auto events = events_for(context, line);
    const auto result = publish::upload(connection, plan_options, content, plan, journal, events);
    if (journal.problem())
        context.say(fmt::format("warning: no journal was kept: {}", *journal.problem()));
    if (!result)
        return tl::unexpected(result.error());
    KB_TRY(show_result(context, options, session, *result));
    return 0;
}

/// Over git: the same plan, with git's branches in the place of the Hub's.
Result<int> execute_git(const Context& context,
                        const UploadOptions& options,
                        const UploadProject& project,
                        const HubSession& session,
                        const publish::PlanOptions& plan,
                        const publish::LocalContent& content) {
    if (plan.pull_request)
        return support::fail(ErrorKind::usage, "pull requests are opened with `--via http` only");
    KB_TRY_ASSIGN(target, git_target(options, session, plan.repository));
    KB_TRY_ASSIGN(held, lock(context, project));
    const auto work = kept_place(project, plan, target.remote.url);
    if (options.dry_run) {
        KB_TRY_ASSIGN(remote, publish::read_git_remote(target, plan.branch, work));
        return show_plan(context, options, publish::make_plan(plan, content, remote));
    }
    TransferLine line(context, "sending");
    KB_TRY_ASSIGN(
        result,
        publish::upload_by_git(
            session.connection(), target, plan, content, work, events_for(context, line)));
    KB_TRY(show_result(context, options, session, result));
    return 0;
}

/// A plan without touching anything; with `--offline` nobody asks what the repository has.
Result<int> dry_run(const Context& context,
                    const UploadOptions& options,
                    const UploadProject& project,
                    const publish::PlanOptions& plan,
                    const publish::LocalContent& content) {
    publish::Remote remote;
    remote.known = !context.globals().offline;
    if (remote.known) {
        KB_TRY_ASSIGN(session, HubSession::open(context));
        if (options.via == "git")
            return execute_git(context, options, project, session, plan, content);
        KB_TRY_ASSIGN(read,
                      publish::read_remote(session.connection(), plan.repository, plan.branch, {}));
        remote = std::move(read);
    }
    return show_plan(context, options, publish::make_plan(plan, content, remote));
}

Result<int>
write_to_folder(const Context& context, const UploadOptions& options, const Gathered& gathered) {
    KB_TRY_ASSIGN(count, publish::write_checkout(gathered.content, options.to));
    context.say(
        fmt::format("{} in `{}`: commit and push them as branch `{}`; README.md belongs on main",
                    support::plural(count, "file"),
                    options.to,
                    gathered.branch));
    return 0;
}

/// Proves the rights before anything else is done, except for a remote that is not the Hub.
Result<HubSession> open_proven(const Context& context,
                               const UploadOptions& options,
                               const hub::Repository& repository) {
    KB_TRY_ASSIGN(session, HubSession::open(context));
    if (options.remote.empty())
        KB_TRY(prove_rights(context, session, repository, options, false));
    return session;
}

} // namespace

Result<hub::Repository> target_repository(const UploadProject& project,
                                          const UploadOptions& options) {
    auto id = options.repo_id;
    if (id.empty() && project.config)
        id = project.config->general.hub.repo_id.value_or("");
    if (id.empty())
        return support::fail(
            ErrorKind::usage,
            "it is not said which repository to publish to",
            "write `repo-id = \"owner/name\"` under `[general.hub]` in build.toml, or give "
            "`kbuild upload --repo-id owner/name`");
    return hub::Repository::parse(repository_type(options.repo_type), id);
}

Result<hub::Repository> prove_rights(const Context& context,
                                     const HubSession& session,
                                     const hub::Repository& repository,
                                     const UploadOptions& options,
                                     bool create) {
    KB_TRY(session.require_token());
    const auto connection = session.connection();
    KB_TRY_ASSIGN(who, hub::whoami(connection));
    const bool pull_request = options.pull_request || options.update_pr != 0;
    // Anybody who can write somewhere may open a pull request anywhere.
    if (!pull_request || who.token_role == "read")
        KB_TRY(publish::check_rights(who, repository, session.endpoint()));
    context.say(fmt::format("publishing to {} as {}", repository.id(), who.name));
    if (!create || pull_request)
        return repository;
    return publish::ensure_repository(connection, repository, options.is_private);
}

Result<int> run_upload(const Context& context, const UploadOptions& options) {
    KB_TRY_ASSIGN(project, find_upload_project(context, options.dir));
    KB_TRY_ASSIGN(repository, target_repository(project, options));
    if (!options.remote.empty() && options.via != "git")
        return support::fail(ErrorKind::usage, "`--remote` goes with `--via git`");
    publish::PlanOptions plan;
    plan.repository = repository;
    plan.is_private = options.is_private;
    plan.pull_request = options.pull_request || options.update_pr != 0;
    plan.prune = options.prune;
    if (options.dry_run || !options.to.empty()) {
        KB_TRY_ASSIGN(gathered, gather(context, project, options, repository));
        if (!gathered)
            return support::exit_code(ErrorKind::content);
        plan.branch = gathered->branch;
        return options.to.empty() ? dry_run(context, options, project, plan, gathered->content)
                                  : write_to_folder(context, options, *gathered);
    }
    KB_TRY_ASSIGN(session, open_proven(context, options, repository));
    KB_TRY_ASSIGN(gathered, gather(context, project, options, repository));
    if (!gathered)
        return support::exit_code(ErrorKind::content);
    plan.branch = gathered->branch;
    if (!plan.pull_request && options.remote.empty()) {
        KB_TRY_ASSIGN(
            created,
            publish::ensure_repository(session.connection(), repository, options.is_private));
        plan.repository = created;
    }
    return options.via == "git"
               ? execute_git(context, options, project, session, plan, gathered->content)
               : execute(context, options, project, session, plan, gathered->content);
}

} // namespace kbuild::cli
