#include "child.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kbuild::step {
namespace {

constexpr int kGraceSeconds = 3;

int kept_back(int stream) {
    return ::isatty(stream) != 0 ? -1 : ::memfd_create("said", MFD_CLOEXEC);
}

bool same_file(int left, int right) {
    struct stat a{};
    struct stat b{};
    return ::fstat(left, &a) == 0 && ::fstat(right, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

[[noreturn]] void become(char* const* command, const Ended& streams, const sigset_t& signals) {
    // Whoever kills the step must not leave a compiler behind.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (streams.said >= 0)
        ::dup2(streams.said, STDOUT_FILENO);
    if (const int fd = streams.complained >= 0 ? streams.complained : streams.said; fd >= 0)
        ::dup2(fd, STDERR_FILENO);
    ::sigprocmask(SIG_SETMASK, &signals, nullptr);
    ::execvp(command[0], command);
    const int error = errno;
    const char* const text = ::strerrordesc_np(error);
    for (const std::string_view part : {std::string_view("kbuild-step: cannot start "),
                                        std::string_view(command[0]),
                                        std::string_view(": "),
                                        std::string_view(text == nullptr ? "?" : text),
                                        std::string_view("\n")})
        if (::write(STDERR_FILENO, part.data(), part.size()) < 0)
            break;
    ::_exit(error == ENOENT ? 127 : 126);
}

void kill_rest(pid_t child) {
    if (::getpgrp() == ::getpid()) // Ninja gives each step a group
        ::kill(0, SIGKILL);
    ::kill(child, SIGKILL);
}

/// Compilers say so when the program that does their work was killed.
bool tells_of_a_kill(int file) {
    const off_t size = file < 0 ? 0 : ::lseek(file, 0, SEEK_END);
    char text[16384];
    const auto count = std::min<off_t>(size, sizeof text);
    const ssize_t read = ::pread(file, text, static_cast<std::size_t>(count), size - count);
    const std::string_view end(text, read > 0 ? static_cast<std::size_t>(read) : 0);
    for (const std::string_view part : {"unable to execute command: Killed", // clang
                                        "Killed signal terminated program"}) // gcc
        if (end.find(part) != std::string_view::npos)
            return true;
    return false;
}

void copy_to(int file, int stream) {
    char block[65536];
    off_t at = 0;
    ssize_t count = 0;
    while (file >= 0 && (count = ::pread(file, block, sizeof block, at)) > 0) {
        at += count;
        for (ssize_t done = 0; done < count;) {
            const auto written =
                ::write(stream, block + done, static_cast<std::size_t>(count - done));
            if (written < 0 && errno != EINTR)
                return;
            done += std::max<ssize_t>(written, 0);
        }
    }
}

/// Waits for the child and passes on signals, which are blocked and taken one by one.
void supervise(pid_t child, const sigset_t& waited, Ended& ended) {
    rusage used{};
    time_t deadline = 0;
    while (::wait4(child, &ended.status, WNOHANG, &used) == 0) {
        const timespec patience{1, 0};
        const int signal = ::sigtimedwait(&waited, nullptr, &patience);
        if (signal > 0 && signal != SIGCHLD) {
            ended.stopped_by = signal;
            ::kill(child, signal);
            deadline = deadline == 0 ? ::time(nullptr) + kGraceSeconds : deadline;
        }
        if (deadline != 0 && ::time(nullptr) >= deadline)
            kill_rest(child);
    }
    ended.peak = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

} // namespace

Ended run_child(char* const* command) {
    sigset_t waited;
    sigset_t before;
    sigemptyset(&waited);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP})
        sigaddset(&waited, signal);
    ::sigprocmask(SIG_BLOCK, &waited, &before);
    Ended ended;
    ended.said = kept_back(STDOUT_FILENO);
    if (ended.said < 0 || !same_file(STDOUT_FILENO, STDERR_FILENO))
        ended.complained = kept_back(STDERR_FILENO);
    const pid_t child = ::fork();
    if (child == 0)
        become(command, ended, before);
    if (child < 0)
        ended.status = 126 << 8;
    else
        supervise(child, waited, ended);
    ended.killed = ended.stopped_by == 0 && ended.status != 0 &&
                   ((WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGKILL) ||
                    (WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 128 + SIGKILL) ||
                    tells_of_a_kill(ended.complained >= 0 ? ended.complained : ended.said));
    return ended;
}

void say(Ended& ended) {
    copy_to(ended.said, STDOUT_FILENO);
    copy_to(ended.complained, STDERR_FILENO);
    forget(ended);
}

void forget(Ended& ended) {
    for (int* const file : {&ended.said, &ended.complained}) {
        if (*file >= 0)
            ::close(*file);
        *file = -1;
    }
}

} // namespace kbuild::step
