#pragma once

#include "kbuild/process/command.hpp"
#include "kbuild/support/result.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace kbuild::process {

/// How a program ended: with an exit code or by a signal.
struct ExitStatus {
    int code = 0; ///< meaningful if `signal` is 0
    int signal = 0;
    bool ok() const { return code == 0 && signal == 0; }
    std::string describe() const; ///< `exit code 2`, `killed by SIGSEGV`
};

struct Output {
    ExitStatus status;
    std::string out; ///< standard output; with merge_stderr both, as they came
    std::string err; ///< standard error, unless merged
};

struct RunOptions {
    bool merge_stderr = false;
    /// Gets each line of standard output (of both, if merged) as it comes, without its end.
    std::function<void(std::string_view)> on_line;
    /// Called some ten times a second, or more often, while the program runs, with its pid.
    std::function<void(int)> on_tick;
    /// Beyond this many bytes only the end of each stream is kept, after a line that says so.
    std::size_t keep_bytes = 16U << 20U;
};

/// Runs a program to its end. It gets its own process group, no standard input and no other
/// descriptor than its lock.
///
/// A program that cannot be started is an Error of kind `toolchain`; one that fails is an Output.
/// When a stop is asked for (support/cancel.hpp) its group gets SIGTERM, after 5 s or a second stop
/// SIGKILL, and the result is an Error of kind `interrupted`.
support::Result<Output> run(const Command& command, const RunOptions& options = {});

/// As run(), but anything other than exit code 0 is an Error of kind `failure` with the end of its
/// output.
support::Result<Output>
run_ok(const Command& command, support::ErrorKind failure, const RunOptions& options = {});

} // namespace kbuild::process
