#pragma once

#include "kbuild/build/compile.hpp"
#include "kbuild/build/watcher.hpp"

#include <optional>
#include <string_view>

namespace kbuild::build {

/// The NINJA_STATUS that NinjaOutput expects.
inline constexpr std::string_view kNinjaStatus = "@kbuild %f %t ";

/// A line of that status; nothing for any other line.
std::optional<EndedStep> parse_status(std::string_view line);

/// Reads Ninja's output line by line: counts steps and keeps the blocks of failed ones.
class NinjaOutput {
  public:
    /// `watcher`, which may be null, is told of each step that ends.
    explicit NinjaOutput(Watcher* watcher) : watcher_(watcher) {}

    void take(std::string_view line);

    std::size_t compiles() const { return compiles_; }
    std::size_t links() const { return links_; }
    std::vector<FailedStep> failed() const { return failed_; }
    /// Compiles that were killed, and did not end so when they ran once more.
    std::vector<step::Killed> killed() const { return killed_; }

  private:
    void take_step(const EndedStep& step);

    Watcher* watcher_;
    std::size_t compiles_ = 0;
    std::size_t links_ = 0;
    std::vector<FailedStep> failed_;
    std::vector<step::Killed> killed_;
    bool in_failure_ = false;
    bool want_command_ = false;
};

} // namespace kbuild::build
