#pragma once

#include "kbuild/build/plan.hpp"
#include "kbuild/build/watcher.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::build {

/// A step that runs: what it makes, and for how many seconds it has been running.
struct RunningStep {
    std::string output;
    double seconds = 0;
    auto operator<=>(const RunningStep&) const = default;
};

/// How far one variant is, in steps. A step that several variants need counts in each of them.
struct VariantProgress {
    std::string name;
    std::size_t ended = 0;
    std::size_t total = 0;
    bool running = false;
    bool failed = false;
    std::optional<VariantState> end; ///< once it was checked and published, or could not be
};

/// The library or module that a step belongs to: `gemm_rocm64` for `rocm64/libgemm_rocm64.a`,
/// `rocm64/device/gemm_rocm64/0-gemm.hip.gfx942.co` and all in `rocm64/gemm_rocm64`.
std::string_view owner_of(std::string_view output);

/// A step for a person: `gemm.hip.gfx942 (gemm_rocm64)`.
std::string short_name(std::string_view output);

/// What is left of a step: how long it took the last time, and for how long it has been running
/// now.
struct UnfinishedStep {
    std::optional<double> remembered;
    double running = 0;
};

/// Seconds until all are done: their work shared by `jobs`, but no less than the longest one needs.
/// What was never run is taken for as long as the others on average. Nothing if less than half of
/// them is remembered, or if all take longer than the last time.
std::optional<double> seconds_left(const std::vector<UnfinishedStep>& steps, unsigned jobs);

/// What is known of a build's compile stage at an instant, from what a Watcher is told. `now` is in
/// seconds of any clock that does not go back.
class Progress {
  public:
    explicit Progress(const Plan& plan);

    void expect(const ExpectedSteps& expected);
    void end(const EndedStep& step);
    void fail(const std::string& output);
    void see_running(const std::vector<std::string>& outputs, double now);
    void end(const std::string& variant, VariantState state);

    std::size_t ended() const { return ended_; }
    std::size_t total() const { return total_; }
    std::size_t failed() const { return failed_.size(); }
    std::optional<double> left(double now) const;
    std::vector<RunningStep> running(double now) const; ///< the longest first
    std::vector<VariantProgress> variants() const;      ///< in the order of the plan

  private:
    struct Variant {
        std::string name;
        std::set<std::string, std::less<>> owners; ///< libraries, and the module itself
        std::optional<VariantState> end;
    };
    /// Of the expected steps of one library or module.
    struct Count {
        std::size_t ended = 0;
        std::size_t total = 0;
    };
    std::vector<Variant> variants_;
    std::map<std::string, std::optional<double>, std::less<>> unfinished_;
    std::map<std::string, double, std::less<>> began_; ///< those that run
    std::map<std::string, Count, std::less<>> counts_; ///< by owner
    std::set<std::string, std::less<>> failed_;        ///< outputs
    std::size_t ended_ = 0;
    std::size_t total_ = 0;
    unsigned jobs_ = 1;
};

} // namespace kbuild::build
