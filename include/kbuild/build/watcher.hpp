#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::build {

/// What a build does, in this order.
enum class Stage { headers, configure, compile, publish };

/// How a variant ended.
enum class VariantState { built, fresh, compile_failed, check_failed };
std::string_view to_string(VariantState state); ///< `compile failed`

/// A step that Ninja is going to run.
struct ExpectedStep {
    std::string output;            ///< what it makes: `rocm64/libgemm_rocm64.a`
    std::optional<double> seconds; ///< what it took when it was run last, if it ever was
};

/// All that Ninja is going to run, in an order in which it may, and how many at a time.
struct ExpectedSteps {
    std::vector<ExpectedStep> steps;
    unsigned jobs = 1;
};

/// A step that ended, well or not.
struct EndedStep {
    std::size_t ended = 0; ///< this one and those before it
    std::size_t total = 0;
    std::string what; ///< `Building HIP object rocm64/…`
};

/// Whoever wants to know what happens in a build while it does: told by the thread that builds,
/// which waits meanwhile.
class Watcher {
  public:
    Watcher() = default;
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    virtual ~Watcher() = default;

    virtual void stage_began(Stage stage) = 0;
    virtual void steps_expected(const ExpectedSteps& expected) = 0;
    virtual void step_ended(const EndedStep& step) = 0;
    /// Behind its step_ended().
    virtual void step_failed(const std::string& output) = 0;
    /// Some ten times a second while CMake or Ninja runs, with what Ninja's steps make just now.
    virtual void time_passed(const std::vector<std::string>& running) = 0;
    virtual void variant_ended(const std::string& variant, VariantState state) = 0;
};

} // namespace kbuild::build
