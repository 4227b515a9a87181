#include "kbuild/step/usable_cores.hpp"

#include "control_group.hpp"
#include "small_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace kbuild::step {
namespace {

namespace fs = std::filesystem;
using Cores = std::optional<std::uint64_t>;

Cores rounded_up(std::uint64_t quota, std::uint64_t period) {
    if (quota == 0 || period == 0)
        return std::nullopt;
    return (quota - 1) / period + 1;
}

/// `200000 100000`: of each 100,000 microseconds, 200,000 on all cores together; `max`: no quota.
Cores quota_of_version_2(const fs::path& group) {
    const auto text = read_small(group / "cpu.max").value_or("");
    char* rest = nullptr;
    const auto quota = std::strtoull(text.c_str(), &rest, 10);
    return rounded_up(quota, std::strtoull(rest, nullptr, 10));
}

Cores quota_of_version_1(const fs::path& group) {
    return rounded_up(number_in(group / "cpu.cfs_quota_us").value_or(0),
                      number_in(group / "cpu.cfs_period_us").value_or(0));
}

} // namespace

unsigned usable_cores(unsigned present, const fs::path& root) {
    std::uint64_t least = present != 0 ? present : std::thread::hardware_concurrency();
    const auto groups = read_small(root / "proc/self/cgroup").value_or("");
    if (const auto group = group_of(groups, ""))
        least =
            std::min(least, least_on_the_way(root / "sys/fs/cgroup", *group, quota_of_version_2));
    if (const auto group = group_of(groups, "cpu"))
        least = std::min(least,
                         least_on_the_way(root / "sys/fs/cgroup/cpu", *group, quota_of_version_1));
    return static_cast<unsigned>(std::max<std::uint64_t>(1, least));
}

} // namespace kbuild::step
