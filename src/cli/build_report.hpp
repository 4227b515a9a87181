#pragma once

#include "kbuild/build/build.hpp"
#include "kbuild/cli/command.hpp"
#include "kbuild/matrix/select.hpp"

#include <chrono>
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

/// Appends the table to the file named by GITHUB_STEP_SUMMARY, if there is one.
void write_github_summary(const build::BuildResult& result);

/// Progress of the compile stage: one line that is written over on a terminal, a line every 30 s
/// elsewhere.
class StepLine {
  public:
    explicit StepLine(const Context& context);
    void show(std::size_t done, std::size_t total, const std::string& what);
    void finish();

  private:
    const Context& context_;
    bool terminal_;
    bool open_ = false;
    std::chrono::steady_clock::time_point last_;
};

} // namespace kbuild::cli
