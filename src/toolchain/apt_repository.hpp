#pragma once

#include "apt_mirror.hpp"
#include "catalog.hpp"
#include "package_index.hpp"

#include <filesystem>

namespace kbuild::toolchain {

/// A private apt state: nothing of the machine's own apt is changed, and no root rights are needed.
struct AptRepository {
    std::filesystem::path folder;
    std::filesystem::path config() const { return folder / "apt.conf"; }
};

/// Writes the configuration of a private state that knows the suites of `recipe` only.
support::Result<AptRepository> make_apt_repository(const std::filesystem::path& folder,
                                                   const AptMirror& mirror,
                                                   const RocmRecipe& recipe);

/// Fetches the package lists; apt checks their signature. Error kind `network`.
support::Result<void> update_lists(const AptRepository& repository);

/// What the lists say of these packages; names that are not there are left out.
support::Result<PackageIndex> show_packages(const AptRepository& repository,
                                            const std::vector<std::string>& names);

/// Fetches the .deb files into `into` (those that are there already are kept) and returns their
/// paths in the order of `packages`. Their SHA-256 is compared with the signed lists. Error kind
/// `network`.
support::Result<std::vector<std::filesystem::path>>
download_packages(const AptRepository& repository,
                  const std::vector<Package>& packages,
                  const std::filesystem::path& into);

} // namespace kbuild::toolchain
