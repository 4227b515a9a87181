#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::support {

/// What kind of failure an Error is; the values are kbuild's exit codes
/// (docs/reference/exit-codes.md).
enum class ErrorKind : int {
    failed = 1,       ///< what was asked for failed: a compile, a check, an I/O operation
    usage = 2,        ///< the command line is wrong
    config = 3,       ///< build.toml, kbuild.toml or a file that they list is wrong
    nothing = 4,      ///< bounds or filters leave nothing to do
    toolchain = 5,    ///< an SDK or a tool is missing or unusable
    content = 6,      ///< a finished file is not what was asked for
    network = 7,      ///< a download or the Hub failed
    lock = 8,         ///< a lock was not obtained in time
    internal = 70,    ///< a bug in kbuild
    interrupted = 130 ///< Ctrl-C or SIGTERM
};

/// The exit code that belongs to a kind.
int exit_code(ErrorKind kind);

/// A failed operation: what failed, in which context, and what to do about it.
///
/// `message` says what went wrong; `context` what kbuild was doing, innermost first; `hint` what
/// mends it. None of them ends with a full stop; names and paths stand in back-ticks.
struct Error {
    ErrorKind kind = ErrorKind::failed;
    std::string message;
    std::vector<std::string> context;
    std::string hint;

    Error(ErrorKind kind_, std::string message_, std::string hint_ = {});

    /// The same error, with one more frame of what was being done.
    Error with_context(std::string frame) &&;

    /// Message and context on one line each, as the error report prints them (without the hint).
    std::string to_string() const;
};

/// An Error of kind `failed` that appends the text of `errno_value` to `what`.
Error errno_error(std::string_view what, int errno_value);

} // namespace kbuild::support
