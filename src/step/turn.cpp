#include "turn.hpp"

#include "small_file.hpp"

#include "kbuild/step/record.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

namespace kbuild::step {
namespace {

namespace fs = std::filesystem;

/// Waits for a lock on a file; -1 if there can be none (a full disk), and then all simply run.
int lock(const fs::path& path, int kind) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    while (fd >= 0 && ::flock(fd, kind) != 0 && errno == EINTR) {
    }
    return fd;
}

void unlock(int fd) {
    if (fd >= 0)
        ::close(fd);
}

struct Runner {
    fs::path file;
    std::uint64_t bytes = 0;
};

/// Who runs; what dead ones left is removed. Only with the door locked, so that nobody is between
/// making a file and locking it.
std::vector<Runner> runners(const fs::path& folder) {
    std::vector<Runner> found;
    std::error_code failed;
    for (fs::directory_iterator entry(folder / kRunning, failed), end; entry != end;
         entry.increment(failed)) {
        const int fd = ::open(entry->path().c_str(), O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0)
            ::unlink(entry->path().c_str());
        else
            found.push_back(
                {entry->path(),
                 std::strtoull(read_small(entry->path()).value_or("").c_str(), nullptr, 10)});
        ::close(fd);
    }
    return found;
}

void wait_for(const Runner& runner) {
    const int fd = ::open(runner.file.c_str(), O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && ::flock(fd, LOCK_SH) != 0 && errno == EINTR) {
    }
    unlock(fd);
}

/// Locked and named for those who ask what runs: `<bytes> <unit>`.
std::pair<fs::path, int>
enter(const fs::path& folder, const std::string& unit, std::uint64_t bytes) {
    const auto file = folder / kRunning / std::to_string(::getpid());
    const int fd = lock(file, LOCK_EX);
    const auto text = std::to_string(bytes) + " " + unit;
    if (fd >= 0 && ::write(fd, text.data(), text.size()) < 0)
        return {file, fd}; // without a share, but with a lock
    return {file, fd};
}

} // namespace

Turn Turn::take(const fs::path& folder, const std::string& unit, std::uint64_t bytes) {
    ::mkdir((folder / kRunning).c_str(), 0755);
    const auto budget =
        std::strtoull(read_small(folder / kBudget).value_or("").c_str(), nullptr, 10);
    const bool heavy = budget > 0 && bytes > budget / 16;
    const int queue = heavy ? lock(folder / "queue", LOCK_EX) : -1;
    Turn turn;
    for (;;) {
        const int door = lock(folder / "door", LOCK_EX);
        std::uint64_t together = 0;
        Runner first;
        if (heavy)
            for (const auto& runner : runners(folder))
                if (runner.bytes > 0) {
                    together += runner.bytes;
                    first = runner;
                }
        if (together == 0 || together + bytes <= budget) {
            std::tie(turn.file_, turn.held_) = enter(folder, unit, heavy ? bytes : 0);
            unlock(door);
            break;
        }
        unlock(door);
        wait_for(first);
    }
    unlock(queue);
    return turn;
}

Turn Turn::alone(const fs::path& folder, const std::string& unit) {
    Turn turn;
    turn.door_ = lock(folder / "door", LOCK_EX);
    for (const auto& runner : runners(folder))
        wait_for(runner);
    std::tie(turn.file_, turn.held_) = enter(folder, unit, 0);
    return turn;
}

Turn::Turn(Turn&& other) noexcept
    : file_(std::move(other.file_)), held_(std::exchange(other.held_, -1)),
      door_(std::exchange(other.door_, -1)) {}

Turn::~Turn() {
    if (held_ >= 0)
        ::unlink(file_.c_str());
    unlock(held_);
    unlock(door_);
}

} // namespace kbuild::step
