#pragma once

#include <git2.h>

#include <array>
#include <memory>
#include <string>

namespace kbuild::git {

/// libgit2 counts its users; its settings are of the whole process.
class Session {
  public:
    Session() {
        git_libgit2_init();
        // Git refuses repositories of other users because their configuration can name programs to
        // run. libgit2 runs none of them, and a container's checkout nearly always has another
        // owner.
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
        // Layouts that change nothing about HEAD, its trees and the index.
        std::array<const char*, 4> known = {
            "partialclone", "preciousobjects", "relativeworktrees", "worktreeconfig"};
        git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, known.data(), known.size());
    }
    ~Session() { git_libgit2_shutdown(); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
};

struct Free {
    void operator()(git_repository* value) const { git_repository_free(value); }
    void operator()(git_reference* value) const { git_reference_free(value); }
    void operator()(git_object* value) const { git_object_free(value); }
    void operator()(git_commit* value) const { git_commit_free(value); }
    void operator()(git_tree* value) const { git_tree_free(value); }
    void operator()(git_blob* value) const { git_blob_free(value); }
    void operator()(git_index* value) const { git_index_free(value); }
    void operator()(git_remote* value) const { git_remote_free(value); }
    void operator()(git_patch* value) const { git_patch_free(value); }
    void operator()(git_signature* value) const { git_signature_free(value); }
};

template <typename T> using Owned = std::unique_ptr<T, Free>;

inline std::string to_hex(const git_oid& id) {
    std::string text(GIT_OID_HEXSZ, '0');
    git_oid_fmt(text.data(), &id);
    return text;
}

} // namespace kbuild::git
