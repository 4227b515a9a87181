#include "kbuild/support/file_state.hpp"

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

} // namespace kbuild::support
