#pragma once

#include <filesystem>

namespace kbuild::step {

/// How many processes can run at a time: one for each core that this one may run on (`present`; 0:
/// they are counted), and not more than the quota of its control group and of those above it, in
/// whole cores, rounded up (v2: cpu.max, v1: cpu.cfs_quota_us of cpu.cfs_period_us,
/// docs.kernel.org/admin-guide/cgroup-v2.html). A container's limit is such a quota: it hides no
/// core. The files are looked for below `root`. At least 1.
unsigned usable_cores(unsigned present = 0, const std::filesystem::path& root = "/");

} // namespace kbuild::step
