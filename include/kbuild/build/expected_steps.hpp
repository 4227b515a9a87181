#pragma once

#include "kbuild/build/plan.hpp"
#include "kbuild/build/watcher.hpp"
#include "kbuild/build/work_folder.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::build {

/// What a step makes, by Ninja's line on it: `Building HIP object rocm64/a.o` makes
/// `rocm64/a.o`. Outputs lie in the folder of a tree, and no word before them has a slash.
std::string_view output_of(std::string_view what);

/// What each output in Ninja's log (.ninja_log) took to make the last time, in seconds.
std::map<std::string, double, std::less<>> remembered_seconds(std::string_view log);

/// What Ninja would run for the variants of the plan, asked of Ninja itself (`-n`: some
/// milliseconds), each with its remembered time. Empty if it cannot tell.
std::vector<ExpectedStep>
expected_steps(const Plan& plan, const WorkFolder& folder, const toolchain::HostTools& tools);

} // namespace kbuild::build
