#pragma once

#include "project.hpp"

#include "kbuild/build/build.hpp"
#include "kbuild/build/freshness.hpp"
#include "kbuild/build/identity.hpp"
#include "kbuild/matrix/select.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kbuild::cli {

/// Fingerprint of what a build is asked for and is no file: kbuild itself, the options, the
/// variables that matter, the project's commit, and which files the project has.
support::Result<std::string> build_request(const Project& project,
                                           const build::Identity& identity,
                                           const std::vector<std::string>& options);

/// What a stamp is made of once a build has ended well.
struct FinishedBuild {
    const Project& project;
    const build::WorkFolder& folder;
    const matrix::BuildSet& set;
    const build::Plan& plan;
    const build::PlanInputs& inputs;
    const build::BuildResult& result;
    std::vector<std::string> remarks;
    std::string request;
    std::int64_t start = 0; ///< when the build began, nanoseconds since 1970
};

/// Remembers the build, so that the next one sees that there is nothing to do; not if an input
/// changed meanwhile.
support::Result<void> remember(const FinishedBuild& build);

/// Now, as file times count; a little early, because these come from a coarser clock.
std::int64_t build_start();

} // namespace kbuild::cli
