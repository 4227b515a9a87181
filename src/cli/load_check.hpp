#pragma once

#include "kbuild/cli/command.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/publish/accept.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/verify/verify.hpp"

#include <filesystem>
#include <string>

namespace kbuild::cli {

/// Imports a variant with the `kernels` package of `python`, in a process of its own: K0629 if that
/// fails; then asks torch whether what the variant declares is registered: K0632 if not. Where
/// there is no torch that it is for, no `kernels`, or (for rocm) no ROCm torch, a note K0615 says
/// that nothing of this ran. `here` is the machine as that Python sees it.
support::Result<void> check_load(const std::filesystem::path& variant,
                                 const verify::DeclaredOps& declared,
                                 const std::string& python,
                                 const publish::Machine& here,
                                 diag::Sink& sink);

} // namespace kbuild::cli
