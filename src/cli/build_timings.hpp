#pragma once

#include "kbuild/build/build.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>

namespace kbuild::cli {

/// What took how long in a build: its stages, each step that Ninja ran with its begin, and each
/// variant's checks. JSON object; times in seconds.
std::string timings_json(const build::BuildResult& result);

/// The same as a page: the steps as bars over the time of the compile stage.
std::string timings_html(const build::BuildResult& result, const std::string& project);

/// Writes one of the two, by the end of the name.
support::Result<void> write_timings(const std::filesystem::path& file,
                                    const build::BuildResult& result,
                                    const std::string& project);

} // namespace kbuild::cli
