#pragma once

#include "catalog.hpp"
#include "package_index.hpp"

#include <functional>

namespace kbuild::toolchain {

/// The packages that make one ROCm SDK; each list sorted by name.
struct PackageSelection {
    std::string compiler_major;     ///< `21`: the clang that hipcc depends on
    std::vector<Package> compiler;  ///< the compiler and the libraries it runs on
    std::vector<Package> parts;     ///< hipcc, HIP's headers and other packages of headers
    std::vector<Package> link_only; ///< the HIP runtime, for its exported names

    const Package* find(std::string_view name) const;
    std::vector<Package> all() const;
};

/// Asks the archive for packages by name; names that it does not have are not in the answer.
using PackageLookup = std::function<support::Result<PackageIndex>(const std::vector<std::string>&)>;

/// The packages of AMD's own archive, all as `parts`: they bring their compiler along.
support::Result<PackageSelection> select_amd_packages(const AmdPackages& rules,
                                                      const PackageLookup& lookup);

/// Resolves the exact package names from the archive's own dependency data, so that a suite that
/// moved on to a newer compiler (other major version, other library names) still gives an SDK.
support::Result<PackageSelection> select_packages(const RocmPackages& rules,
                                                  const PackageLookup& lookup);

} // namespace kbuild::toolchain
