#pragma once

#include "kbuild/hub/answers.hpp"
#include "kbuild/hub/repository.hpp"
#include "kbuild/publish/content.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::publish {

/// What the repository has, as far as an upload is concerned.
struct RemoteBranch {
    std::string name;
    std::string head; ///< commit
    /// Whether it has commits of its own. A branch at main's head has nothing that anybody put
    /// there: it is treated as new.
    bool own = true;
    std::vector<hub::TreeFile> files; ///< sorted by path
};

struct Remote {
    bool known = true;  ///< false: nobody asked (a dry run without the network)
    bool exists = true; ///< the repository
    std::optional<RemoteBranch> main;
    std::optional<RemoteBranch> target; ///< the branch for the variants, if it is there
};

enum class Action { add, replace, unchanged, remove };

std::string_view to_string(Action action); ///< `add`, `replace`, `unchanged`, `delete`

/// One file of a branch and what happens to it.
struct Change {
    Action action = Action::add;
    std::string path;
    std::uint64_t size = 0;           ///< afterwards; of a deleted file: before
    const LocalFile* local = nullptr; ///< unless deleted
};

/// One commit.
struct BranchPlan {
    std::string branch;
    bool create = false;         ///< it starts at main's head
    std::string parent;          ///< the head that the commit follows; empty if not known yet
    std::vector<Change> changes; ///< sorted by path

    bool has_changes() const;
    std::size_t count(Action action) const;
    std::uint64_t bytes(Action action) const;
};

/// What an upload does, in this order: repository, version branch, main. Points into the
/// LocalContent that it was made of.
struct UploadPlan {
    hub::Repository repository;
    bool remote_known = true;
    bool create_repository = false;
    bool is_private = false;   ///< if it is created
    bool pull_request = false; ///< commits go into pull requests
    std::vector<BranchPlan> branches;

    bool has_changes() const;
};

/// What the user asked for.
struct PlanOptions {
    hub::Repository repository;
    std::string branch;
    bool is_private = false;
    bool pull_request = false;
    bool prune = false; ///< remove variants that are not here
};

/// Compares what is here with what is there (upstream.md 6.2): files of the uploaded variants that
/// are gone are deleted, other variants stay unless `prune`; what a new branch inherits below
/// `build/` goes; old benchmarks go if the project has a folder `benchmarks`; README.md is put on
/// main.
UploadPlan make_plan(const PlanOptions& options, const LocalContent& content, const Remote& remote);

/// Plans one branch again, over another state of it.
BranchPlan
plan_version_branch(const PlanOptions& options, const LocalContent& content, const Remote& remote);
BranchPlan plan_main(const LocalContent& content, const Remote& remote);

/// Whether a listing is what the branch is to be after its commit; the first difference if not.
std::optional<std::string> difference(const BranchPlan& plan,
                                      const std::vector<hub::TreeFile>& files);

/// For people; ends with a line of totals.
std::string to_text(const UploadPlan& plan);
/// For programs: schema 1.
std::string to_json(const UploadPlan& plan);

} // namespace kbuild::publish
