#pragma once

#include "kbuild/build/plan.hpp"
#include "kbuild/build/work_folder.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace kbuild::build {

/// What the configure stage did.
struct Configured {
    std::vector<std::string> trees; ///< names of the trees that CMake was run for
    double seconds = 0;
    std::vector<std::string> warnings; ///< logs that could not be written
};

/// Writes the CMake projects and runs CMake for those whose files changed (or that were never
/// configured); a tree whose toolchain changed starts from an empty build folder. Log:
/// `.kbuild/logs/configure-<tree>.log`. `on_tick` is called some ten times a second while CMake
/// runs.
support::Result<Configured> configure(const std::vector<generate::Tree>& trees,
                                      const WorkFolder& folder,
                                      const toolchain::HostTools& tools,
                                      const std::function<void()>& on_tick = {});

/// `$XDG_CACHE_HOME/kbuild/configured`: what CMake found out about compilers, for all projects.
std::filesystem::path remembered_configures();

} // namespace kbuild::build
