#pragma once

#include "kbuild/cli/command.hpp"
#include "kbuild/publish/accept.hpp"
#include "kbuild/support/result.hpp"

#include <string>

namespace kbuild::cli {

/// The options that describe the machine that a loader runs on; without them it is this one.
struct MachineOptions {
    std::string torch;
    std::string rocm;
    std::string python = "python3";

    void declare(Options& app);

    /// As described, or as the torch of `--python` says (a note tells if there is none).
    support::Result<publish::Machine> machine(const Context& context) const;
};

} // namespace kbuild::cli
