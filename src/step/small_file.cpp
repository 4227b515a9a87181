#include "small_file.hpp"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace kbuild::step {

std::optional<std::string> read_small(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return std::nullopt;
    std::string text;
    char block[4096];
    ssize_t count = 0;
    while ((count = ::read(fd, block, sizeof block)) > 0)
        text.append(block, static_cast<std::size_t>(count));
    ::close(fd);
    return text;
}

bool replace_small(const std::filesystem::path& path, std::string_view text) {
    const auto part = path.string() + "." + std::to_string(::getpid()) + ".part";
    const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return false;
    const bool whole = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(fd);
    if (whole && ::rename(part.c_str(), path.c_str()) == 0)
        return true;
    ::unlink(part.c_str());
    return false;
}

} // namespace kbuild::step
