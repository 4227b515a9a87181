#pragma once

#include "inspect_files.hpp"

#include "kbuild/cli/command.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::cli {

/// The machine code of a kernel in the files as llvm-objdump writes it, for each architecture that
/// has it. llvm-objdump is that of the newest ROCm SDK that has one, else that of PATH; without one
/// an Error of kind `toolchain`. A kernel that no file has is an Error of kind `nothing`.
support::Result<std::string> disassemble(const Context& context,
                                         const std::vector<InspectedFile>& files,
                                         const std::string& kernel);

} // namespace kbuild::cli
