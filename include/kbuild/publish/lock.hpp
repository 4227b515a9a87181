#pragma once

#include "kbuild/hub/api.hpp"
#include "kbuild/support/result.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::publish {

/// A kernel that a project depends on: a version, or a revision. Ordered as lock files are: by
/// repository, versions by number before revisions.
struct LockedDependency {
    std::string repo_id;
    std::optional<std::uint64_t> version;
    std::string revision; ///< if there is no version

    bool operator<(const LockedDependency& other) const;
    bool operator==(const LockedDependency&) const = default;
};

/// The commit of each dependency and of what these depend on.
using KernelLocks = std::map<LockedDependency, std::string>;

/// kernels.lock as the `kernels` package (0.17) writes it, byte for byte.
std::string write_lock(const KernelLocks& locks);
support::Result<KernelLocks> read_lock(std::string_view json);

/// Finds the commit of every dependency, and of the `kernel-depends` in the metadata of all of
/// their variants. A dependency on itself, however long the way, is an Error.
support::Result<KernelLocks> make_lock(const hub::Connection& connection,
                                       const std::vector<LockedDependency>& dependencies);

/// Differences between two locks, one line each: what `kbuild lock --check` prints.
std::vector<std::string> compare_locks(const KernelLocks& written, const KernelLocks& now);

} // namespace kbuild::publish
