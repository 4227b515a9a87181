#pragma once

#include "kbuild/cli/command.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>

namespace kbuild::cli {

/// Builds a variant again, in a copy of the project outside of any repository, as its
/// build-provenance.json says, and compares: K0630 for a variant that came out otherwise, with the
/// sections that differ; K0631 for one that cannot be built again here, with the reasons (inputs
/// that changed, another SDK, another kbuild). An Error if the build itself fails.
support::Result<void> check_rebuild(const Context& context,
                                    const std::filesystem::path& project,
                                    const std::filesystem::path& variant,
                                    const std::filesystem::path& copy,
                                    diag::Sink& sink);

/// Copies what a build reads: all of the project but `build`, `.kbuild` and `.git`.
support::Result<void> copy_project(const std::filesystem::path& project,
                                   const std::filesystem::path& copy);

} // namespace kbuild::cli
