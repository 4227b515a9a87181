#include "kbuild/git/repository.hpp"

#include "session.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <memory>

namespace kbuild::git {
namespace {

namespace fs = std::filesystem;
using support::Result;

tl::unexpected<support::Error> git_error(std::string_view what, const fs::path& folder) {
    const auto* const error = git_error_last();
    return support::fail(support::ErrorKind::failed,
                         fmt::format("cannot {} of `{}`: {}",
                                     what,
                                     support::display_path(folder),
                                     error != nullptr ? error->message : "no reason given"));
}

/// Stops at the first difference.
int on_difference(const char* /*path*/, unsigned int /*flags*/, void* dirty) {
    *static_cast<bool*>(dirty) = true;
    return 1;
}

Result<bool> is_dirty(git_repository* repository, const fs::path& folder) {
    git_status_options options;
    git_status_options_init(&options, GIT_STATUS_OPTIONS_VERSION);
    options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
    options.flags = GIT_STATUS_OPT_EXCLUDE_SUBMODULES;
    bool dirty = false;
    const int code = git_status_foreach_ext(repository, &options, on_difference, &dirty);
    if (code < 0 && !dirty)
        return git_error("compare the work tree with the commit", folder);
    return dirty;
}

/// Whether a folder from `folder` upwards looks like a repository. libgit2 reads all of the
/// system's certificates before it can say so, which is a third of the time of a build without
/// changes.
bool may_have_repository(const fs::path& folder) {
    std::error_code code;
    for (auto place = fs::absolute(folder, code).lexically_normal();; place = place.parent_path()) {
        if (support::path_exists(place / ".git") || support::path_exists(place / "HEAD"))
            return true;
        if (place == place.parent_path())
            return false;
    }
}

/// Null if there is no repository around `folder`, or one without a work tree.
Result<Owned<git_repository>> open_around(const fs::path& folder) {
    git_repository* raw = nullptr;
    const int code = git_repository_open_ext(&raw, folder.c_str(), 0, nullptr);
    Owned<git_repository> repository(raw);
    if (code == GIT_ENOTFOUND)
        return nullptr;
    if (code < 0)
        return git_error("open the git repository", folder);
    if (git_repository_is_bare(repository.get()) != 0)
        return nullptr;
    return repository;
}

/// Null if HEAD names no commit yet.
Result<Owned<git_commit>> head_commit(git_repository* repository, const fs::path& folder) {
    git_reference* raw_head = nullptr;
    const int code = git_repository_head(&raw_head, repository);
    const Owned<git_reference> head(raw_head);
    if (code == GIT_EUNBORNBRANCH || code == GIT_ENOTFOUND)
        return nullptr;
    git_object* raw_commit = nullptr;
    if (code < 0 || git_reference_peel(&raw_commit, head.get(), GIT_OBJECT_COMMIT) < 0)
        return git_error("read the current commit", folder);
    const Owned<git_object> object(raw_commit);
    git_commit* commit = nullptr;
    if (git_commit_lookup(&commit, repository, git_object_id(object.get())) < 0)
        return git_error("read the current commit", folder);
    return Owned<git_commit>(commit);
}

} // namespace

Result<std::optional<HeadState>> head_state(const fs::path& folder) {
    if (!may_have_repository(folder))
        return std::nullopt;
    const Session session;
    KB_TRY_ASSIGN(repository, open_around(folder));
    if (!repository)
        return std::nullopt;
    KB_TRY_ASSIGN(commit, head_commit(repository.get(), folder));
    if (!commit)
        return std::nullopt;
    KB_TRY_ASSIGN(dirty, is_dirty(repository.get(), folder));
    return HeadState{
        to_hex(*git_commit_id(commit.get())), to_hex(*git_commit_tree_id(commit.get())), dirty};
}

Result<bool> start_repository(const fs::path& folder, const std::vector<fs::path>& paths) {
    const Session session;
    git_repository* raw = nullptr;
    const int found = git_repository_open_ext(&raw, folder.c_str(), 0, nullptr);
    Owned<git_repository> repository(raw);
    if (found == 0)
        return false;
    git_repository_init_options options;
    git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
    options.flags = GIT_REPOSITORY_INIT_MKPATH;
    options.initial_head = "main";
    if (git_repository_init_ext(&raw, folder.c_str(), &options) < 0)
        return git_error("make a git repository out", folder);
    repository.reset(raw);
    git_index* raw_index = nullptr;
    if (git_repository_index(&raw_index, repository.get()) < 0)
        return git_error("read the index", folder);
    const Owned<git_index> index(raw_index);
    for (const auto& path : paths)
        if (git_index_add_bypath(index.get(), path.generic_string().c_str()) < 0)
            return git_error("stage the files", folder);
    if (git_index_write(index.get()) < 0)
        return git_error("write the index", folder);
    return true;
}

std::string unique_id(const std::optional<HeadState>& state, std::string_view content_id) {
    if (!state)
        return std::string(content_id);
    return state->tree.substr(0, 7) + (state->dirty ? "_dirty" : "");
}

} // namespace kbuild::git
