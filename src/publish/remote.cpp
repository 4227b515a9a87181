#include "kbuild/publish/upload.hpp"

#include <fmt/format.h>

namespace kbuild::publish {
namespace {

using support::Result;

Result<RemoteBranch> read_branch(const hub::Connection& connection,
                                 const hub::Repository& repository,
                                 const std::string& name,
                                 const std::string& head) {
    KB_TRY_ASSIGN(files, hub::tree(connection, repository, head));
    return RemoteBranch{name, head, true, std::move(files)};
}

/// What a pull request holds, in the place of its branch.
Result<void> overlay(const hub::Connection& connection,
                     const hub::Repository& repository,
                     std::uint64_t number,
                     RemoteBranch& branch) {
    const auto name = fmt::format("refs/pr/{}", number);
    KB_TRY_ASSIGN(refs, hub::refs(connection, repository, true));
    for (const auto& ref : refs ? refs->pull_requests : std::vector<hub::Ref>()) {
        if (ref.name != name)
            continue;
        KB_TRY_ASSIGN(read, read_branch(connection, repository, branch.name, ref.commit));
        branch = std::move(read);
        return {};
    }
    return support::fail(support::ErrorKind::network,
                         fmt::format("`{}` has no pull request {}", repository.id(), number));
}

Result<Remote> read_branches(const hub::Connection& connection,
                             const hub::Repository& repository,
                             const std::string& branch) {
    Remote remote;
    KB_TRY_ASSIGN(refs, hub::refs(connection, repository));
    remote.exists = refs.has_value();
    if (!refs)
        return remote;
    const auto* const main = refs->branch("main");
    if (main != nullptr) {
        KB_TRY_ASSIGN(read, read_branch(connection, repository, "main", main->commit));
        remote.main = std::move(read);
    }
    const auto* const target = refs->branch(branch);
    if (target == nullptr)
        return remote;
    if (main != nullptr && target->commit == main->commit) {
        remote.target = remote.main;
        remote.target->name = branch;
        remote.target->own = branch == "main";
        return remote;
    }
    KB_TRY_ASSIGN(read, read_branch(connection, repository, branch, target->commit));
    remote.target = std::move(read);
    return remote;
}

} // namespace

Result<Remote> read_remote(const hub::Connection& connection,
                           const hub::Repository& repository,
                           const std::string& branch,
                           const std::map<std::string, std::uint64_t>& pull_requests) {
    KB_TRY_ASSIGN(remote, read_branches(connection, repository, branch));
    for (const auto& [name, number] : pull_requests)
        for (auto* const there : {&remote.main, &remote.target})
            if (*there && (*there)->name == name)
                KB_TRY(overlay(connection, repository, number, **there));
    return remote;
}

} // namespace kbuild::publish
