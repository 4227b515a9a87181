#pragma once

#include "kbuild/build/build.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/matrix/select.hpp"

#include <string>

namespace kbuild::cli {

/// The final table of `kbuild build`, the count of compiles and "built N of M published pairs".
std::string build_report_text(const build::BuildResult& result,
                              const matrix::BuildSet& set,
                              const build::Plan& plan);

/// The same as one JSON object.
std::string build_report_json(const build::BuildResult& result,
                              const matrix::BuildSet& set,
                              const build::Plan& plan);

/// The table, errors, what was left out and the counts as Markdown.
std::string github_summary(const std::string& project,
                           const build::BuildResult& result,
                           const matrix::BuildSet& set,
                           const build::Plan& plan,
                           const diag::Collector& findings);

/// Appends it to the file named by GITHUB_STEP_SUMMARY, if there is one.
void write_github_summary(const std::string& summary);

} // namespace kbuild::cli
