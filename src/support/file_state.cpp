#include "kbuild/support/file_state.hpp"

#include <fmt/format.h>

#include <sys/stat.h>

namespace kbuild::support {

FileState state_of_file(const std::filesystem::path& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0)
        return {path, -1, 0, 0, 0, {}};
    const auto nanoseconds = [](const timespec& time) {
        constexpr std::int64_t kSecond = 1'000'000'000;
        return time.tv_sec * kSecond + time.tv_nsec;
    };
    return {path,
            status.st_size,
            nanoseconds(status.st_mtim),
            nanoseconds(status.st_ctim),
            status.st_ino,
            {}};
}

std::string identity_of_program(const std::filesystem::path& program) {
    std::error_code error;
    const auto real = std::filesystem::canonical(program, error);
    const auto state = state_of_file(error ? program : real);
    return fmt::format("{} {} {}", state.path.string(), state.size, state.changed);
}

} // namespace kbuild::support
