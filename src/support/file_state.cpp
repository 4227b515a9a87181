#include "kbuild/support/file_state.hpp"

#include <sys/stat.h>

namespace kbuild::support {

FileState state_of_file(const std::filesystem::path& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0)
        return {path, -1, 0, 0, {}};
    constexpr std::int64_t kSecond = 1'000'000'000;
    return {path,
            status.st_size,
            status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec,
            status.st_ino,
            {}};
}

} // namespace kbuild::support
