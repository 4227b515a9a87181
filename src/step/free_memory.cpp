#include "kbuild/step/free_memory.hpp"

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

std::optional<std::uint64_t> number_in(const fs::path& file) {
    const auto text = read_small(file);
    if (!text || text->empty() || (*text)[0] < '0' || (*text)[0] > '9') // `max`: no limit
        return std::nullopt;
    return std::strtoull(text->c_str(), nullptr, 10);
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

/// The least that `group` and those above it leave. In a container the group's name may be that of
/// outside, and only the topmost folder is there.
std::uint64_t left_on_the_way(const fs::path& mount, fs::path group, const Names& names) {
    auto least = UINT64_MAX;
    for (;; group = group.parent_path()) {
        if (const auto left = left_in(mount / group.relative_path(), names))
            least = std::min(least, *left);
        if (group.relative_path().empty())
            return least;
    }
}

/// `4:memory:/a/b` of /proc/self/cgroup -> `/a/b`; version 2 is `0::/a/b`.
std::optional<fs::path> group_of(const std::string& groups, const std::string& controller) {
    for (std::size_t begin = 0; begin < groups.size();) {
        const auto end = std::min(groups.find('\n', begin), groups.size());
        const auto line = groups.substr(begin, end - begin);
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (second != std::string::npos &&
            ("," + line.substr(first + 1, second - first - 1) + ",").find("," + controller + ",") !=
                std::string::npos)
            return fs::path(line.substr(second + 1));
        begin = end + 1;
    }
    return std::nullopt;
}

} // namespace

std::uint64_t free_memory(const fs::path& root) {
    const auto available = field(read_small(root / "proc/meminfo").value_or(""), "MemAvailable:");
    if (!available)
        return 0;
    auto least = *available * 1024;
    const auto groups = read_small(root / "proc/self/cgroup").value_or("");
    if (const auto group = group_of(groups, ""))
        least = std::min(least, left_on_the_way(root / "sys/fs/cgroup", *group, kVersion2));
    if (const auto group = group_of(groups, "memory"))
        least = std::min(least, left_on_the_way(root / "sys/fs/cgroup/memory", *group, kVersion1));
    return least;
}

} // namespace kbuild::step
