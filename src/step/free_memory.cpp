#include "kbuild/step/free_memory.hpp"

#include "control_group.hpp"
#include "small_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

namespace kbuild::step {
namespace {

namespace fs = std::filesystem;

/// The number after `name` at the beginning of a line.
std::optional<std::uint64_t> field(const std::string& text, const std::string& name) {
    const auto at = ("\n" + text).find("\n" + name);
    if (at == std::string::npos)
        return std::nullopt;
    return std::strtoull(text.c_str() + at + name.size(), nullptr, 10);
}

/// The files of one version of control groups.
struct Names {
    const char* limit;
    const char* used;
    const char* unused_pages; ///< in memory.stat
};
constexpr Names kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "};
constexpr Names kVersion2{"memory.max", "memory.current", "inactive_file "};

std::optional<std::uint64_t> left_in(const fs::path& group, const Names& names) {
    const auto limit = number_in(group / names.limit);
    const auto used = number_in(group / names.used);
    if (!limit || !used)
        return std::nullopt;
    const auto stat = read_small(group / "memory.stat").value_or("");
    const auto taken = *used - std::min(*used, field(stat, names.unused_pages).value_or(0));
    return *limit - std::min(*limit, taken);
}

auto left(const Names& names) {
    return [names](const fs::path& group) { return left_in(group, names); };
}

} // namespace

std::uint64_t free_memory(const fs::path& root) {
    const auto available = field(read_small(root / "proc/meminfo").value_or(""), "MemAvailable:");
    if (!available)
        return 0;
    auto least = *available * 1024;
    const auto groups = read_small(root / "proc/self/cgroup").value_or("");
    if (const auto group = group_of(groups, ""))
        least = std::min(least, least_on_the_way(root / "sys/fs/cgroup", *group, left(kVersion2)));
    if (const auto group = group_of(groups, "memory"))
        least = std::min(least,
                         least_on_the_way(root / "sys/fs/cgroup/memory", *group, left(kVersion1)));
    return least;
}

} // namespace kbuild::step
