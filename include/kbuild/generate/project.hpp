#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/model/file_set.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::generate {

/// The list of generated files with their SHA-256, itself one of them.
inline constexpr std::string_view kManifest = "cmake/kbuild-files.txt";

/// The CMake project and the Python build files that build a kernel without kbuild, with the
/// manifest; for `[torch-noarch]` what pip needs. They depend on build.toml alone, so that the same
/// build.toml gives the same bytes. `unique_id` is the last part of the ops id. An Error of kind
/// `nothing` if there is nothing to build.
support::Result<model::FileSet> project_files(const config::BuildConfig& config,
                                              std::string_view unique_id);

/// Those of `files` that exist below `root` with other bytes and were not generated, or were
/// changed since; relative, sorted. Generating would lose them.
support::Result<std::vector<std::string>> in_the_way(const std::filesystem::path& root,
                                                     const model::FileSet& files);

/// What generate wrote below `root` and nobody changed since, by its manifest, and the manifest
/// itself; relative, sorted. Empty without a manifest.
struct Generated {
    std::vector<std::string> files;
    std::vector<std::string> changed; ///< written by generate, but with other bytes now
};
support::Result<Generated> generated_files(const std::filesystem::path& root);

} // namespace kbuild::generate
