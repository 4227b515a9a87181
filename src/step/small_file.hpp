#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kbuild::step {

/// Files of a few lines, by system calls alone: a step starts for every compile.
std::optional<std::string> read_small(const std::filesystem::path& path);
bool replace_small(const std::filesystem::path& path, std::string_view text);

} // namespace kbuild::step
