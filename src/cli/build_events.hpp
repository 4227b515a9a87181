#pragma once

#include "kbuild/build/watcher.hpp"
#include "kbuild/support/result.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace kbuild::cli {

/// Writes what happens in a build as JSON objects, one on a line each, as soon as it happens, and
/// passes it on. docs/reference/messages.md has their keys.
class BuildEvents final : public build::Watcher {
  public:
    /// `clock` gives seconds since the build began.
    BuildEvents(std::ostream& out, std::function<double()> clock, build::Watcher& next);

    void stage_began(build::Stage stage) override;
    void steps_expected(const build::ExpectedSteps& expected) override;
    void step_ended(const build::EndedStep& step) override;
    void step_failed(const std::string& output) override;
    void time_passed(const std::vector<std::string>& running) override;
    void variant_ended(const std::string& variant, build::VariantState state) override;
    void build_ended(int exit_code);

  private:
    std::ostream& out_;
    std::function<double()> clock_;
    build::Watcher& next_;
    std::set<std::string> running_;
};

/// Opens the file of `--events`; null if there is no name.
support::Result<std::unique_ptr<std::ostream>> open_events(const std::string& file);

} // namespace kbuild::cli
