#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::build {

/// A step that Ninja ran: what it made, and when, in milliseconds since Ninja began.
struct TimedStep {
    std::string output;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::uint64_t peak = 0; ///< bytes of memory; 0: not measured
    auto operator<=>(const TimedStep&) const = default;
};

/// An entry of Ninja's log (.ninja_log, version 5: start, end, time of the output in nanoseconds
/// since 1970, output, hash of the command).
struct LoggedStep {
    std::string output;
    std::int64_t begin = 0; ///< milliseconds since that Ninja began
    std::int64_t end = 0;
    std::int64_t time = 0;
};

/// In the order of the log, where a later entry of an output is of a later run; lines that are no
/// entries are skipped.
std::vector<LoggedStep> logged_steps(std::string_view log);

/// The steps in Ninja's log whose output is not older than `since`, in nanoseconds since 1970.
/// Sorted by begin, then by output.
std::vector<TimedStep> timed_steps(std::string_view log, std::int64_t since);

} // namespace kbuild::build
