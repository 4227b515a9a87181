#include "kbuild/publish/plan.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace kbuild::publish {
namespace {

using RemoteFiles = std::map<std::string, const hub::TreeFile*>;

RemoteFiles by_path(const std::vector<hub::TreeFile>& files) {
    RemoteFiles map;
    for (const auto& file : files)
        map[file.path] = &file;
    return map;
}

/// LFS files are compared by the content's hash, others by git's.
bool is_same(const LocalFile& local, const hub::TreeFile& remote) {
    if (local.size != remote.size)
        return false;
    return remote.sha256 ? *remote.sha256 == local.sha256
                         : !local.blob_id.empty() && remote.blob_id == local.blob_id;
}

Change change_for(const LocalFile& local, const RemoteFiles& remote) {
    const auto found = remote.find(local.path);
    const auto action = found == remote.end()            ? Action::add
                        : is_same(local, *found->second) ? Action::unchanged
                                                         : Action::replace;
    return {action, local.path, local.size, &local};
}

/// `build/<variant>/…` -> `<variant>`; none for other paths.
std::optional<std::string> variant_of(const std::string& path) {
    constexpr std::string_view kFolder = "build/";
    if (!path.starts_with(kFolder))
        return std::nullopt;
    const auto slash = path.find('/', kFolder.size());
    if (slash == std::string::npos)
        return std::nullopt;
    return path.substr(kFolder.size(), slash - kFolder.size());
}

/// Which files of the branch are no longer wanted.
struct Sweep {
    std::set<std::string> uploaded; ///< variants
    bool everything = false;        ///< below build/: a new branch, or `--prune`
    bool fresh = false;             ///< a new branch
    bool benchmarks = false;        ///< the project has some

    bool takes(const std::string& path) const {
        if (const auto variant = variant_of(path))
            return everything || uploaded.contains(*variant);
        if (path.starts_with("build/"))
            return everything;
        if (!benchmarks || !path.starts_with("benchmarks/"))
            return false;
        const auto name = path.substr(std::string_view("benchmarks/").size());
        return fresh || (name.find('/') == std::string::npos &&
                         support::matches_glob("benchmark*.py", name));
    }
};

void sort_by_path(std::vector<Change>& changes) {
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.path < b.path;
    });
}

} // namespace

std::string_view to_string(Action action) {
    switch (action) {
    case Action::add:
        return "add";
    case Action::replace:
        return "replace";
    case Action::unchanged:
        return "unchanged";
    case Action::remove:
        return "delete";
    }
    return "";
}

std::size_t BranchPlan::count(Action action) const {
    return static_cast<std::size_t>(
        std::count_if(changes.begin(), changes.end(), [action](const Change& change) {
            return change.action == action;
        }));
}

std::uint64_t BranchPlan::bytes(Action action) const {
    std::uint64_t sum = 0;
    for (const auto& change : changes)
        if (change.action == action)
            sum += change.size;
    return sum;
}

bool BranchPlan::has_changes() const {
    return count(Action::unchanged) != changes.size();
}

bool UploadPlan::has_changes() const {
    return std::any_of(branches.begin(), branches.end(), [](const BranchPlan& branch) {
        return branch.has_changes();
    });
}

BranchPlan
plan_version_branch(const PlanOptions& options, const LocalContent& content, const Remote& remote) {
    BranchPlan plan;
    plan.branch = options.branch;
    plan.create = remote.known && !remote.target;
    const auto* const base = remote.target ? &*remote.target
                             : remote.main ? &*remote.main
                                           : nullptr;
    if (base != nullptr)
        plan.parent = base->head;
    const bool fresh = !remote.target || !remote.target->own;
    Sweep sweep{{}, fresh || options.prune, fresh, content.has_benchmarks};
    const auto there = base != nullptr ? by_path(base->files) : RemoteFiles();
    std::set<std::string> here;
    const auto put = [&](const LocalFile& file) {
        here.insert(file.path);
        plan.changes.push_back(change_for(file, there));
    };
    for (const auto& variant : content.variants) {
        sweep.uploaded.insert(variant.name);
        std::for_each(variant.files.begin(), variant.files.end(), put);
    }
    std::for_each(content.benchmarks.begin(), content.benchmarks.end(), put);
    for (const auto& [path, file] : there)
        if (!here.contains(path) && sweep.takes(path))
            plan.changes.push_back({Action::remove, path, file->size, nullptr});
    sort_by_path(plan.changes);
    return plan;
}

BranchPlan plan_main(const LocalContent& content, const Remote& remote) {
    BranchPlan plan;
    plan.branch = "main";
    const auto there = remote.main ? by_path(remote.main->files) : RemoteFiles();
    if (remote.main)
        plan.parent = remote.main->head;
    if (content.readme)
        plan.changes.push_back(change_for(*content.readme, there));
    return plan;
}

UploadPlan
make_plan(const PlanOptions& options, const LocalContent& content, const Remote& remote) {
    UploadPlan plan;
    plan.repository = options.repository;
    plan.remote_known = remote.known;
    plan.create_repository = remote.known && !remote.exists;
    plan.is_private = options.is_private;
    plan.pull_request = options.pull_request;
    plan.branches.push_back(plan_version_branch(options, content, remote));
    if (options.branch == "main") {
        // Everything is one commit then.
        auto& only = plan.branches.front();
        for (auto& change : plan_main(content, remote).changes)
            only.changes.push_back(change);
        sort_by_path(only.changes);
        return plan;
    }
    if (content.readme)
        plan.branches.push_back(plan_main(content, remote));
    return plan;
}

std::optional<std::string> difference(const BranchPlan& plan,
                                      const std::vector<hub::TreeFile>& files) {
    const auto there = by_path(files);
    for (const auto& change : plan.changes) {
        const auto found = there.find(change.path);
        if (change.action == Action::remove) {
            if (found != there.end())
                return fmt::format("`{}` is still there", change.path);
            continue;
        }
        if (found == there.end())
            return fmt::format("`{}` is missing", change.path);
        if (!is_same(*change.local, *found->second))
            return fmt::format("`{}` has another content", change.path);
    }
    return std::nullopt;
}

} // namespace kbuild::publish
