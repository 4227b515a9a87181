#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>

namespace kbuild::build {

/// What CMake finds out about compilers, remembered for all projects: most of a configure.
struct ConfigureSeed {
    std::filesystem::path folder; ///< `$XDG_CACHE_HOME/kbuild/configured/<key>`
};

/// The seed for a key that covers the compilers, CMake, and the name of the tree.
ConfigureSeed configure_seed(const std::string& key);

/// Puts it into a build folder that is not there yet; whether there is one.
support::Result<bool> plant(const ConfigureSeed& seed,
                            const std::filesystem::path& source,
                            const std::filesystem::path& build);

/// Keeps what a finished configure of `build` found.
support::Result<void> keep(const ConfigureSeed& seed,
                           const std::filesystem::path& source,
                           const std::filesystem::path& build);

} // namespace kbuild::build
