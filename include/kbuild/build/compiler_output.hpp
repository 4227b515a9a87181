#pragma once

#include "kbuild/build/compile.hpp"
#include "kbuild/diag/sink.hpp"

#include <filesystem>
#include <vector>

namespace kbuild::build {

/// Turns what compilers and linkers said into diagnostics (code K0501 for a compile, K0502 for a
/// link or another step): file, line, column, message, the source line where it can be read, a hint
/// for errors that are known. With a step's first error stand the command, the log, and what the
/// compiler said besides. The same error from several trees or passes is reported once, with the
/// others named.
void report_failures(const std::vector<FailedStep>& failed,
                     const std::filesystem::path& project,
                     diag::Sink& sink);

} // namespace kbuild::build
