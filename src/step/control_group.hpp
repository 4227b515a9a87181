#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace kbuild::step {

/// `4:memory:/a/b` of the text of /proc/self/cgroup -> `/a/b`; version 2 is `0::/a/b`, its
/// controller has no name.
std::optional<std::filesystem::path> group_of(const std::string& groups,
                                              const std::string& controller);

/// The number that a file begins with; nothing for `max` and `-1`: no limit.
std::optional<std::uint64_t> number_in(const std::filesystem::path& file);

/// The least that `group`, below the folder `mount`, and those above it have by `tell`; UINT64_MAX
/// where none tells anything. In a container the group's name may be that of outside, and only the
/// topmost folder is there.
std::uint64_t least_on_the_way(
    const std::filesystem::path& mount,
    std::filesystem::path group,
    const std::function<std::optional<std::uint64_t>(const std::filesystem::path&)>& tell);

} // namespace kbuild::step
