#pragma once

#include "kbuild/process/runner.hpp"
#include "kbuild/support/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::toolchain {

/// Runs an embedded script (data/python/) with the `python3` of PATH; nothing of the user's site is
/// loaded. A Python that is missing is an Error of kind `toolchain` with the command that installs
/// it; how the script ended is in the result.
support::Result<process::Output> run_script(std::string_view name,
                                            std::vector<std::string> arguments);

/// As run_script, but exit codes other than 0 are Errors of kind `toolchain`. Returns standard
/// output.
support::Result<std::string> run_script_ok(std::string_view name,
                                           std::vector<std::string> arguments);

/// `python3` as Error with the fix, if it is not on PATH.
support::Result<void> need_python();

} // namespace kbuild::toolchain
