#include "kbuild/publish/git_upload.hpp"

#include "file_ids.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kbuild::publish {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

constexpr const char* kAttributes = "*.so filter=lfs diff=lfs merge=lfs -text\n";
constexpr const char* kMessage = "Uploaded using `kbuild`\n";

Result<std::optional<RemoteBranch>> read_branch(const fs::path& work, const std::string& name) {
    KB_TRY_ASSIGN(branch, git::read_branch(work, name));
    if (!branch)
        return std::nullopt;
    RemoteBranch remote{name, branch->head, true, {}};
    for (auto& file : branch->files)
        remote.files.push_back({std::move(file.path),
                                file.size,
                                std::move(file.blob_id),
                                file.sha256.empty() ? std::nullopt : std::optional(file.sha256)});
    return remote;
}

Result<Remote> read_fetched(const fs::path& work, const std::string& branch) {
    Remote remote;
    KB_TRY_ASSIGN(main, read_branch(work, "main"));
    KB_TRY_ASSIGN(target, read_branch(work, branch));
    remote.main = std::move(main);
    remote.target = std::move(target);
    if (remote.main && remote.target && branch != "main")
        remote.target->own = remote.main->head != remote.target->head;
    return remote;
}

/// Which changed files become pointers. Without a commit to look at, kbuild's own attributes hold.
Result<std::vector<bool>> choose_lfs(const fs::path& work,
                                     const BranchPlan& plan,
                                     const std::vector<std::string>& paths,
                                     bool own_attributes) {
    if (!own_attributes)
        return git::under_lfs(work, plan.parent, paths);
    std::vector<bool> chosen;
    for (const auto& path : paths)
        chosen.push_back(path.ends_with(".so"));
    return chosen;
}

bool has_attributes(const Remote& remote, const BranchPlan& plan) {
    for (const auto* const branch : {&remote.target, &remote.main})
        if (*branch && (*branch)->head == plan.parent)
            return std::any_of((*branch)->files.begin(),
                               (*branch)->files.end(),
                               [](const auto& file) { return file.path == ".gitattributes"; });
    return false;
}

struct Prepared {
    std::vector<git::FileChange> changes;
    std::vector<hub::LfsObject> objects;
};

/// The commit of a branch: pointers for LFS files, everything else as it is. An empty file is no
/// object: git-lfs leaves it empty.
Result<Prepared> prepare(const fs::path& work, const Remote& remote, const BranchPlan& plan) {
    std::vector<const Change*> put;
    std::vector<std::string> paths;
    Prepared prepared;
    for (const auto& change : plan.changes) {
        if (change.action == Action::remove)
            prepared.changes.push_back({change.path, {}, {}, true});
        if (change.action != Action::add && change.action != Action::replace)
            continue;
        put.push_back(&change);
        paths.push_back(change.path);
    }
    const bool own = !has_attributes(remote, plan);
    if (own && !paths.empty())
        prepared.changes.push_back({".gitattributes", {}, kAttributes, false});
    KB_TRY_ASSIGN(lfs, choose_lfs(work, plan, paths, own));
    for (std::size_t i = 0; i < put.size(); ++i) {
        const auto& file = *put[i]->local;
        if (!lfs[i] || file.size == 0 || file.source.empty()) {
            prepared.changes.push_back({file.path, file.source, file.text, false});
            continue;
        }
        prepared.changes.push_back({file.path, {}, lfs_pointer(file.sha256, file.size), false});
        prepared.objects.push_back({file.sha256, file.size, file.source});
    }
    return prepared;
}

Result<hub::LfsSummary> send(const hub::Connection& connection,
                             const GitTarget& target,
                             const std::string& branch,
                             std::vector<hub::LfsObject> objects,
                             const UploadEvents& events) {
    if (objects.empty())
        return hub::LfsSummary{};
    hub::LfsRemote remote{target.lfs_url, {}, "refs/heads/" + branch};
    if (!target.remote.password.empty())
        remote.authorization =
            http::basic(target.remote.user, http::Secret(target.remote.password));
    std::uint64_t bytes = 0;
    for (const auto& object : objects)
        bytes += object.size;
    if (events.on_start)
        events.on_start(bytes, objects.size());
    auto summary = hub::upload_objects(
        connection, remote, std::move(objects), hub::LfsEvents{events.on_bytes, {}});
    if (events.on_end)
        events.on_end();
    return summary;
}

Result<BranchResult> publish_branch(const hub::Connection& connection,
                                    const GitTarget& target,
                                    const fs::path& work,
                                    const Remote& remote,
                                    const BranchPlan& plan,
                                    hub::LfsSummary& summary,
                                    const UploadEvents& events) {
    BranchResult result;
    result.branch = plan.branch;
    if (!plan.has_changes())
        return result;
    KB_TRY_ASSIGN(prepared, prepare(work, remote, plan));
    KB_TRY_ASSIGN(sent, send(connection, target, plan.branch, std::move(prepared.objects), events));
    summary.sent += sent.sent;
    summary.present += sent.present;
    summary.bytes += sent.bytes;
    KB_TRY_ASSIGN(id, git::commit(work, plan.branch, plan.parent, prepared.changes, kMessage));
    KB_TRY(git::push(work, target.remote, plan.branch));
    result.kind = BranchResult::Kind::committed;
    result.commit = id;
    return result;
}

/// What was pushed is read again and compared.
Result<void> check(const fs::path& work, const GitTarget& target, const UploadPlan& plan) {
    KB_TRY(git::fetch(work, target.remote));
    for (const auto& branch : plan.branches) {
        KB_TRY_ASSIGN(there, read_branch(work, branch.branch));
        const auto wrong = difference(branch, there ? there->files : std::vector<hub::TreeFile>());
        if (wrong && branch.has_changes())
            return support::fail(
                ErrorKind::network,
                fmt::format("branch `{}` is not what was pushed: {}", branch.branch, *wrong));
    }
    return {};
}

} // namespace

std::string guess_lfs_url(std::string url) {
    while (url.ends_with('/'))
        url.pop_back();
    return url + (url.ends_with(".git") ? "" : ".git") + "/info/lfs";
}

Result<Remote>
read_git_remote(const GitTarget& target, const std::string& branch, const fs::path& work) {
    KB_TRY(git::fetch(work, target.remote));
    return read_fetched(work, branch);
}

Result<UploadResult> upload_by_git(const hub::Connection& connection,
                                   const GitTarget& target,
                                   const PlanOptions& options,
                                   const LocalContent& content,
                                   const fs::path& work,
                                   const UploadEvents& events) {
    KB_TRY_ASSIGN(remote, read_git_remote(target, options.branch, work));
    const auto plan = make_plan(options, content, remote);
    UploadResult result;
    result.repository = options.repository;
    result.branch = options.branch;
    result.url = target.remote.url;
    for (const auto& branch : plan.branches) {
        KB_TRY_ASSIGN(
            done, publish_branch(connection, target, work, remote, branch, result.objects, events));
        result.branches.push_back(std::move(done));
    }
    KB_TRY(check(work, target, plan));
    return result;
}

Result<std::size_t> write_checkout(const LocalContent& content, const fs::path& folder) {
    std::set<std::string> wanted;
    std::vector<const LocalFile*> files;
    for (const auto& variant : content.variants)
        for (const auto& file : variant.files)
            files.push_back(&file);
    for (const auto& file : content.benchmarks)
        files.push_back(&file);
    if (content.readme)
        files.push_back(&*content.readme);
    for (const auto* const file : files) {
        wanted.insert(file->path);
        KB_TRY_ASSIGN(bytes, read_content(*file));
        KB_TRY(support::write_file_if_changed(folder / file->path, bytes));
    }
    for (const auto& variant : content.variants) {
        const auto place = fs::path("build") / variant.name;
        KB_TRY_ASSIGN(there, support::list_files(folder / place));
        for (const auto& file : there)
            if (!wanted.contains((place / file).generic_string()))
                KB_TRY(support::remove_tree(folder / place / file));
    }
    if (!support::is_file(folder / ".gitattributes"))
        KB_TRY(support::write_file_atomically(folder / ".gitattributes", kAttributes));
    return files.size();
}

} // namespace kbuild::publish
