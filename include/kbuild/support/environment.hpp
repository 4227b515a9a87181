#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::support {

/// The value of an environment variable; a variable that is set but empty counts as unset.
std::optional<std::string> environment(std::string_view name);

/// `$XDG_DATA_HOME/kbuild`, default `~/.local/share/kbuild`.
std::filesystem::path data_home();
/// `$XDG_CACHE_HOME/kbuild`, default `~/.cache/kbuild`.
std::filesystem::path cache_home();
/// `$XDG_CONFIG_HOME/kbuild`, default `~/.config/kbuild`.
std::filesystem::path config_home();

/// The file that `name` means on PATH (or `name` itself if it has a slash and can be executed).
std::optional<std::filesystem::path> find_program(std::string_view name);

} // namespace kbuild::support
