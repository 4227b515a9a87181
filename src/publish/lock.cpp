#include "kbuild/publish/lock.hpp"

#include "kbuild/layout/metadata.hpp"
#include "kbuild/publish/download.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace kbuild::publish {
namespace {

using nlohmann::ordered_json;
using support::ErrorKind;
using support::Result;

std::string name_of(const LockedDependency& dependency) {
    return dependency.version ? fmt::format("{}@{}", dependency.repo_id, *dependency.version)
                              : fmt::format("{}@{}", dependency.repo_id, dependency.revision);
}

Result<std::vector<LockedDependency>> dependencies_of(const hub::Connection& connection,
                                                      const KernelSpec& spec,
                                                      const std::string& commit) {
    std::set<LockedDependency> found;
    KB_TRY_ASSIGN(files, hub::tree(connection, spec.repository, commit));
    for (const auto& [variant, ignored] : variants_of(files)) {
        const auto path = fmt::format("build/{}/metadata.json", variant);
        KB_TRY_ASSIGN(text, hub::read_text(connection, spec.repository, commit, path));
        if (!text)
            return support::fail(ErrorKind::network,
                                 fmt::format("`{}` has no `{}`", spec.repository.id(), path));
        KB_TRY_ASSIGN(metadata, layout::read_metadata(*text));
        for (const auto& entry : metadata.kernel_depends)
            found.insert({entry.repo_id, entry.version, entry.revision.value_or("")});
    }
    return std::vector<LockedDependency>(found.begin(), found.end());
}

/// Locks one dependency and everything below it. `way` leads from the project to it.
Result<void> lock_one(const hub::Connection& connection,
                      const LockedDependency& dependency,
                      std::vector<LockedDependency>& way,
                      KernelLocks& locks) {
    if (locks.contains(dependency))
        return {};
    if (std::find(way.begin(), way.end(), dependency) != way.end())
        return support::fail(ErrorKind::content,
                             fmt::format("`{}` depends on itself", name_of(dependency)));
    KB_TRY_ASSIGN(spec, KernelSpec::parse(hub::RepositoryType::kernel, name_of(dependency)));
    KB_TRY_ASSIGN(commit, resolve_commit(connection, spec));
    KB_TRY_ASSIGN(below, dependencies_of(connection, spec, commit));
    way.push_back(dependency);
    for (const auto& next : below)
        KB_TRY(lock_one(connection, next, way, locks));
    way.pop_back();
    locks[dependency] = commit;
    return {};
}

} // namespace

bool LockedDependency::operator<(const LockedDependency& other) const {
    return std::tuple(repo_id, !version, version, revision) <
           std::tuple(other.repo_id, !other.version, other.version, other.revision);
}

std::string write_lock(const KernelLocks& locks) {
    auto list = ordered_json::array();
    for (const auto& [dependency, commit] : locks) {
        ordered_json entry = {{"repo-id", dependency.repo_id}};
        if (dependency.version)
            entry["version"] = *dependency.version;
        else
            entry["revision"] = dependency.revision;
        list.push_back({{"dependency", std::move(entry)}, {"lock", {{"commit", commit}}}});
    }
    return list.dump(2);
}

Result<KernelLocks> read_lock(std::string_view json) {
    const auto damaged = [](const std::string& what) {
        return support::fail(ErrorKind::content, "this is no lock file of kernels: " + what);
    };
    // Every way in which the types can be wrong is an exception of the library.
    try {
        KernelLocks locks;
        for (const auto& entry : ordered_json::parse(json)) {
            const auto& named = entry.at("dependency");
            LockedDependency dependency{named.at("repo-id").get<std::string>(), std::nullopt, {}};
            if (named.contains("version"))
                dependency.version = named.at("version").get<std::uint64_t>();
            else
                dependency.revision = named.at("revision").get<std::string>();
            const auto commit = entry.at("lock").at("commit").get<std::string>();
            if (!hub::is_commit_id(commit))
                return damaged("a commit is not of 40 digits");
            if (!locks.emplace(std::move(dependency), commit).second)
                return damaged("a dependency is there twice");
        }
        return locks;
    } catch (const ordered_json::exception& error) {
        return damaged(error.what());
    }
}

Result<KernelLocks> make_lock(const hub::Connection& connection,
                              const std::vector<LockedDependency>& dependencies) {
    KernelLocks locks;
    std::vector<LockedDependency> way;
    for (const auto& dependency : dependencies)
        KB_TRY(lock_one(connection, dependency, way, locks));
    return locks;
}

std::vector<std::string> compare_locks(const KernelLocks& written, const KernelLocks& now) {
    std::vector<std::string> differences;
    for (const auto& [dependency, commit] : now) {
        const auto found = written.find(dependency);
        if (found == written.end())
            differences.push_back(fmt::format("{} is not locked", name_of(dependency)));
        else if (found->second != commit)
            differences.push_back(fmt::format("{} is locked at {}, the branch is at {}",
                                              name_of(dependency),
                                              found->second.substr(0, 12),
                                              commit.substr(0, 12)));
    }
    for (const auto& [dependency, commit] : written)
        if (!now.contains(dependency))
            differences.push_back(
                fmt::format("{} is locked but nothing depends on it", name_of(dependency)));
    return differences;
}

} // namespace kbuild::publish
