#pragma once

#include "kbuild/support/result.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace kbuild::support {

/// An exclusive lock on a file, held while the value lives (flock; the holder writes its pid into
/// the file).
class FileLock {
  public:
    /// Called once, at once, when somebody else holds the lock; gets the holder's note ("pid 123").
    using OnWait = std::function<void(const std::string& holder)>;

    /// Waits at most `timeout` for the lock; then an Error of kind `lock` that names the holder.
    /// On a file system without locks the result is held by nobody; `enforced()` tells.
    static Result<FileLock> acquire(const std::filesystem::path& path,
                                    std::chrono::milliseconds timeout,
                                    const OnWait& on_wait = {});

    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

    /// Whether others are kept out: false where the file system has no locks.
    bool enforced() const { return enforced_; }
    /// The open file. The lock is free when the last process that inherited it has ended.
    int descriptor() const { return fd_; }

  private:
    explicit FileLock(int fd) : fd_(fd) {}
    int fd_ = -1;
    bool enforced_ = true;
};

/// How long to wait for a lock: `KBUILD_LOCK_TIMEOUT` in seconds, else `usual`.
std::chrono::seconds lock_timeout(std::chrono::seconds usual);

/// A process that has a file open.
struct FileUser {
    int pid = 0;
    std::string program; ///< the first word of its command line, without folders
};

/// Other processes of this user that have the file open, by /proc; sorted by pid.
std::vector<FileUser> users_of_file(const std::filesystem::path& path);

} // namespace kbuild::support
