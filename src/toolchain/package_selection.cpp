#include "package_selection.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;

/// All names that a package's dependencies mention.
std::vector<std::string> dependency_names(const Package& package) {
    std::vector<std::string> names;
    for (const auto& group : package.depends)
        names.insert(names.end(), group.begin(), group.end());
    return names;
}

std::optional<std::string> compiler_major(const PackageIndex& roots) {
    constexpr std::string_view kPrefix = "clang-";
    for (const auto& [name, package] : roots)
        for (const auto& dependency : dependency_names(package)) {
            const auto rest =
                std::string_view(dependency).substr(std::min(kPrefix.size(), dependency.size()));
            if (dependency.starts_with(kPrefix) && !rest.empty() &&
                rest.find_first_not_of("0123456789") == std::string_view::npos)
                return std::string(rest);
        }
    return std::nullopt;
}

Result<PackageIndex> look_up_all(const std::vector<std::string>& names,
                                 const PackageLookup& lookup) {
    KB_TRY_ASSIGN(found, lookup(names));
    for (const auto& name : names)
        if (found.count(name) == 0)
            return support::fail(ErrorKind::toolchain,
                                 fmt::format("the archive has no package `{}`", name));
    return found;
}

/// Of each group of alternatives the names worth asking for: none if one of them is known already.
std::vector<std::string> wanted_dependencies(const RocmPackages& rules,
                                             const PackageIndex& packages,
                                             const std::set<std::string>& asked) {
    std::set<std::string> wanted;
    for (const auto& [name, package] : packages)
        for (const auto& group : package.depends)
            for (const auto& candidate : group)
                if (asked.count(candidate) == 0 && matches_any(rules.follow, candidate) &&
                    !matches_any(rules.leave, candidate))
                    wanted.insert(candidate);
    return {wanted.begin(), wanted.end()};
}

/// The compiler's packages and, wave by wave, the libraries that they run on.
Result<PackageIndex> close_over_libraries(const RocmPackages& rules,
                                          const PackageIndex& start,
                                          const PackageLookup& lookup) {
    PackageIndex all = start;
    PackageIndex wave = start;
    std::set<std::string> asked;
    for (const auto& [name, package] : start)
        asked.insert(name);
    while (true) {
        const auto wanted = wanted_dependencies(rules, wave, asked);
        if (wanted.empty())
            return all;
        asked.insert(wanted.begin(), wanted.end());
        KB_TRY_ASSIGN(found, lookup(wanted));
        all.insert(found.begin(), found.end());
        wave = std::move(found);
    }
}

std::vector<Package> values(const PackageIndex& index) {
    std::vector<Package> packages;
    for (const auto& [name, package] : index)
        packages.push_back(package);
    return packages;
}

} // namespace

const Package* PackageSelection::find(std::string_view name) const {
    for (const auto* list : {&compiler, &parts, &link_only})
        for (const auto& package : *list)
            if (package.name == name)
                return &package;
    return nullptr;
}

std::vector<Package> PackageSelection::all() const {
    std::vector<Package> packages = compiler;
    packages.insert(packages.end(), parts.begin(), parts.end());
    packages.insert(packages.end(), link_only.begin(), link_only.end());
    std::sort(packages.begin(), packages.end(), [](const Package& a, const Package& b) {
        return a.name < b.name;
    });
    return packages;
}

Result<PackageSelection> select_amd_packages(const AmdPackages& rules,
                                             const PackageLookup& lookup) {
    KB_TRY_ASSIGN(parts, look_up_all(rules.roots, lookup));
    KB_TRY_ASSIGN(headers, lookup(rules.headers));
    parts.insert(headers.begin(), headers.end());
    return PackageSelection{{}, {}, values(parts), {}};
}

Result<PackageSelection> select_packages(const RocmPackages& rules, const PackageLookup& lookup) {
    KB_TRY_ASSIGN(roots, look_up_all(rules.roots, lookup));
    const auto major = compiler_major(roots);
    if (!major)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("`{}` depends on no `clang-N`", rules.roots.front()));
    std::vector<std::string> compiler_names;
    for (const auto& name : rules.compiler)
        compiler_names.push_back(support::replace_all(name, "{N}", *major));
    KB_TRY_ASSIGN(compiler, look_up_all(compiler_names, lookup));
    // hipcc itself is a program as well: what it runs on belongs to the same set.
    PackageIndex start = compiler;
    start.insert(roots.begin(), roots.end());
    KB_TRY_ASSIGN(closed, close_over_libraries(rules, start, lookup));
    for (const auto& name : rules.roots)
        closed.erase(name);

    std::vector<std::string> link_names;
    for (const auto& [name, package] : roots)
        for (const auto& dependency : dependency_names(package))
            if (matches_any(rules.link_only, dependency) && roots.count(dependency) == 0)
                link_names.push_back(dependency);
    KB_TRY_ASSIGN(link_only, look_up_all(link_names, lookup));
    KB_TRY_ASSIGN(headers, lookup(rules.headers));
    PackageIndex parts = roots;
    parts.insert(headers.begin(), headers.end());
    return PackageSelection{*major, values(closed), values(parts), values(link_only)};
}

} // namespace kbuild::toolchain
