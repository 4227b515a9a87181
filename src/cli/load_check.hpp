#pragma once

#include "kbuild/cli/command.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/publish/accept.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>

namespace kbuild::cli {

/// Imports a variant with the `kernels` package of `python`, in a process of its own: K0629 if that
/// fails. Where there is no torch that it is for, no `kernels`, or (for rocm) no ROCm torch, a note
/// K0615 says that it did not run. `here` is the machine as that Python sees it.
support::Result<void> check_load(const std::filesystem::path& variant,
                                 const std::string& python,
                                 const publish::Machine& here,
                                 diag::Sink& sink);

} // namespace kbuild::cli
