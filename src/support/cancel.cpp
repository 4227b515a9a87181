#include "kbuild/support/cancel.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

// Signal handlers can only reach static data, so this is the one file of the project that has any.
namespace kbuild::support {
namespace {

std::atomic<int> g_signal{0};
std::atomic<int> g_count{0};
std::atomic<int> g_read_end{-1};
std::atomic<int> g_write_end{-1};

void on_signal(int signal) {
    const int saved = errno;
    g_signal = signal;
    ++g_count;
    const char byte = 's';
    if (::write(g_write_end, &byte, 1) < 0)
        errno = 0; // the pipe is full: the stop is known already
    errno = saved;
}

} // namespace

void install_stop_signals() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    g_read_end = ends[0];
    g_write_end = ends[1];
    struct sigaction action{};
    action.sa_handler = &on_signal;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
}

int stop_signal() {
    return g_signal;
}

int stop_count() {
    return g_count;
}

int stop_descriptor() {
    return g_read_end;
}

} // namespace kbuild::support
