#pragma once

#include "kbuild/build/plan.hpp"
#include "kbuild/build/work_folder.hpp"
#include "kbuild/process/command.hpp"
#include "kbuild/toolchain/host.hpp"

#include <string>
#include <vector>

namespace kbuild::build {

/// One Ninja over all trees, without arguments.
process::Command ninja_command(const WorkFolder& folder, const toolchain::HostTools& tools);

/// Ninja's names of the variants' libraries, in the plan's order.
std::vector<std::string> targets_of(const Plan& plan);

} // namespace kbuild::build
