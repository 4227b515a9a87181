#pragma once

#include "kbuild/support/result.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace kbuild::support {

/// An exclusive lock on a file, held while the value lives (flock; the holder writes its pid into
/// the file).
class FileLock {
  public:
    /// Called once, at once, when somebody else holds the lock; gets the holder's note ("pid 123").
    using OnWait = std::function<void(const std::string& holder)>;

    /// Waits at most `timeout` for the lock; then an Error of kind `lock` that names the holder.
    static Result<FileLock> acquire(const std::filesystem::path& path,
                                    std::chrono::milliseconds timeout,
                                    const OnWait& on_wait = {});

    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

  private:
    explicit FileLock(int fd) : fd_(fd) {}
    int fd_ = -1;
};

} // namespace kbuild::support
