#include "kbuild/support/file_lock.hpp"

#include "kbuild/support/cancel.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace kbuild::support {
namespace {

std::string holder_note(const fs::path& path) {
    const auto text = read_file(path, 4096);
    const std::string note(text ? trim(*text) : std::string_view{});
    return note.empty() ? "another process" : note;
}

void write_holder_note(int fd) {
    const std::string note = fmt::format("pid {}\n", ::getpid());
    // The note only serves messages, so a failure to write it is no reason to fail.
    if (::ftruncate(fd, 0) == 0 && ::pwrite(fd, note.data(), note.size(), 0) < 0)
        errno = 0;
}

} // namespace

Result<FileLock>
FileLock::acquire(const fs::path& path, std::chrono::milliseconds timeout, const OnWait& on_wait) {
    KB_TRY(make_folder(path.parent_path()));
    FileLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (lock.fd_ < 0)
        return tl::unexpected(
            errno_error(fmt::format("cannot open the lock file `{}`", display_path(path)), errno));
    const auto end = std::chrono::steady_clock::now() + timeout;
    bool told = false;
    while (::flock(lock.fd_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return tl::unexpected(
                errno_error(fmt::format("cannot lock `{}`", display_path(path)), errno));
        if (!std::exchange(told, true) && on_wait)
            on_wait(holder_note(path));
        if (stop_signal() != 0)
            return fail(ErrorKind::interrupted, "interrupted while waiting for a lock");
        if (std::chrono::steady_clock::now() >= end)
            return fail(ErrorKind::lock,
                        fmt::format("`{}` is held by {}", display_path(path), holder_note(path)),
                        "wait until it has finished, or end it");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    write_holder_note(lock.fd_);
    return lock;
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

FileLock::~FileLock() {
    if (fd_ >= 0)
        ::close(fd_);
}

} // namespace kbuild::support
