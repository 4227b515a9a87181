#include "kbuild/support/environment.hpp"

#include "kbuild/support/strings.hpp"

#include <cstdlib>
#include <unistd.h>

namespace kbuild::support {
namespace {

std::filesystem::path xdg_folder(std::string_view variable, std::string_view below_home) {
    if (const auto value = environment(variable))
        return std::filesystem::path(*value) / "kbuild";
    return std::filesystem::path(environment("HOME").value_or("/")) / below_home / "kbuild";
}

} // namespace

std::optional<std::string> environment(std::string_view name) {
    const char* const value = std::getenv(std::string(name).c_str());
    if (value == nullptr || *value == '\0')
        return std::nullopt;
    return std::string(value);
}

std::filesystem::path data_home() {
    return xdg_folder("XDG_DATA_HOME", ".local/share");
}

std::filesystem::path cache_home() {
    return xdg_folder("XDG_CACHE_HOME", ".cache");
}

std::filesystem::path config_home() {
    return xdg_folder("XDG_CONFIG_HOME", ".config");
}

std::optional<std::filesystem::path> find_program(std::string_view name) {
    const auto runnable = [](const std::filesystem::path& path) {
        std::error_code code;
        return std::filesystem::is_regular_file(path, code) && ::access(path.c_str(), X_OK) == 0;
    };
    if (contains(name, "/"))
        return runnable(name) ? std::optional(std::filesystem::path(name)) : std::nullopt;
    for (const auto& folder : split(environment("PATH").value_or("/usr/bin:/bin"), ':')) {
        const auto path = std::filesystem::path(folder.empty() ? "." : folder) / name;
        if (runnable(path))
            return path;
    }
    return std::nullopt;
}

} // namespace kbuild::support
