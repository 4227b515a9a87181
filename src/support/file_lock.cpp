#include "kbuild/support/file_lock.hpp"

#include "kbuild/support/cancel.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/numbers.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
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

/// Whether a process has a file open; not if it is another user's, or gone.
bool has_open(const fs::path& process, const struct stat& wanted) {
    std::error_code code;
    for (fs::directory_iterator open(process / "fd", code), end; open != end;
         open.increment(code)) {
        struct stat info{};
        if (::stat(open->path().c_str(), &info) == 0 && info.st_dev == wanted.st_dev &&
            info.st_ino == wanted.st_ino)
            return true;
    }
    return false;
}

std::string program_of(const fs::path& process) {
    std::ifstream file(process / "cmdline");
    std::string word;
    std::getline(file, word, '\0');
    return fs::path(word).filename().string();
}

/// Whether the path still leads to the open file: its folder may have been deleted meanwhile, and
/// others would lock a new file.
bool is_still_at(int fd, const fs::path& path) {
    struct stat opened{};
    struct stat found{};
    return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &found) == 0 &&
           opened.st_dev == found.st_dev && opened.st_ino == found.st_ino;
}

bool means_no_locks(int errno_value) {
    return errno_value == ENOLCK || errno_value == ENOSYS || errno_value == EOPNOTSUPP;
}

Result<int> open_lock_file(const fs::path& path) {
    KB_TRY(make_folder(path.parent_path()));
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return tl::unexpected(
            errno_error(fmt::format("cannot open the lock file `{}`", display_path(path)), errno));
    return fd;
}

} // namespace

Result<FileLock>
FileLock::acquire(const fs::path& path, std::chrono::milliseconds timeout, const OnWait& on_wait) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    bool told = false;
    while (true) {
        KB_TRY_ASSIGN(fd, open_lock_file(path));
        FileLock lock(fd);
        while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
            if (means_no_locks(errno)) {
                lock.enforced_ = false;
                return lock;
            }
            if (errno != EWOULDBLOCK && errno != EINTR)
                return tl::unexpected(
                    errno_error(fmt::format("cannot lock `{}`", display_path(path)), errno));
            if (!std::exchange(told, true) && on_wait)
                on_wait(holder_note(path));
            if (stop_signal() != 0)
                return fail(ErrorKind::interrupted, "interrupted while waiting for a lock");
            if (std::chrono::steady_clock::now() >= end)
                return fail(
                    ErrorKind::lock,
                    fmt::format("`{}` is held by {}", display_path(path), holder_note(path)),
                    "wait until it has finished, or end it");
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        if (is_still_at(fd, path)) {
            write_holder_note(fd);
            return lock;
        }
    }
}

std::chrono::seconds lock_timeout(std::chrono::seconds usual) {
    const auto text = environment("KBUILD_LOCK_TIMEOUT").value_or("");
    return std::chrono::seconds(whole_number<unsigned>(text).value_or(usual.count()));
}

std::vector<FileUser> users_of_file(const fs::path& path) {
    struct stat wanted{};
    std::vector<FileUser> users;
    if (::stat(path.c_str(), &wanted) != 0)
        return users;
    // Processes end meanwhile, so nothing here may throw.
    std::error_code code;
    for (fs::directory_iterator process("/proc", code), end; process != end;
         process.increment(code)) {
        const auto pid = whole_number<int>(process->path().filename().string());
        if (pid && *pid != ::getpid() && has_open(process->path(), wanted))
            users.push_back({*pid, program_of(process->path())});
    }
    std::sort(
        users.begin(), users.end(), [](const auto& a, const auto& b) { return a.pid < b.pid; });
    return users;
}

FileLock::FileLock(FileLock&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), enforced_(other.enforced_) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(enforced_, other.enforced_);
    return *this;
}

FileLock::~FileLock() {
    if (fd_ >= 0)
        ::close(fd_);
}

} // namespace kbuild::support
