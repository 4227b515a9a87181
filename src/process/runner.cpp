#include "kbuild/process/runner.hpp"

#include "kbuild/support/cancel.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file_lock.hpp"
#include "kbuild/support/log.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace kbuild::process {
namespace {

using support::Error;
using support::ErrorKind;
using support::Result;
using Clock = std::chrono::steady_clock;

constexpr auto kGrace = std::chrono::seconds(5);
/// A daemon that inherited our pipe must not keep us waiting after its parent has ended.
constexpr auto kDrain = std::chrono::seconds(1);
constexpr std::string_view kCutNote = "[only the end of a long output is kept]\n";
constexpr int kLockDescriptor = STDERR_FILENO + 1;

class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    void close() {
        if (fd_ >= 0)
            ::close(std::exchange(fd_, -1));
    }
    int get() const { return fd_; }
    bool open() const { return fd_ >= 0; }

  private:
    int fd_ = -1;
};

struct Pipe {
    Descriptor read;
    Descriptor write;
};

Result<Pipe> make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return tl::unexpected(support::errno_error("cannot make a pipe", errno));
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// One stream of a child: keeps its end, hands out whole lines.
class Stream {
  public:
    Stream(Descriptor fd, std::size_t keep, std::function<void(std::string_view)> on_line)
        : fd_(std::move(fd)), keep_(keep), on_line_(std::move(on_line)) {}

    bool open() const { return fd_.open(); }
    int fd() const { return fd_.get(); }

    /// Reads what is there; closes itself at the end of the stream.
    void read_some() {
        std::array<char, 65536> block{};
        const ssize_t count = ::read(fd_.get(), block.data(), block.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        if (count <= 0) {
            fd_.close();
            return;
        }
        take({block.data(), static_cast<std::size_t>(count)});
    }

    std::string finish() {
        if (on_line_ && !line_.empty())
            on_line_(line_);
        return cut_ ? std::string(kCutNote) + kept_ : std::move(kept_);
    }

  private:
    void take(std::string_view bytes) {
        kept_ += bytes;
        if (kept_.size() > 2 * keep_) {
            kept_.erase(0, kept_.size() - keep_);
            cut_ = true;
        }
        if (!on_line_)
            return;
        line_ += bytes;
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = line_.find('\n', begin)) != std::string::npos;
             begin = end + 1)
            on_line_(std::string_view(line_).substr(begin, end - begin));
        line_.erase(0, begin);
        if (line_.size() > keep_)
            line_.clear(); // a «line» without end: not worth its memory
    }

    Descriptor fd_;
    std::size_t keep_;
    std::function<void(std::string_view)> on_line_;
    std::string kept_;
    bool cut_ = false;
    std::string line_;
};

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> result;
    for (auto& word : words)
        result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

Result<std::string> resolve_program(const Command& command) {
    const auto name = command.program.string();
    if (name.find('/') != std::string::npos)
        return name;
    if (const auto path = support::find_program(name))
        return path->string();
    return support::fail(ErrorKind::toolchain, fmt::format("`{}` is not on PATH", name));
}

/// Why a program did not start, in words that tell the cases apart.
std::string why(const std::string& program, int error) {
    std::error_code code;
    const auto type = std::filesystem::status(program, code).type();
    if (type == std::filesystem::file_type::directory)
        return "it is a folder";
    if (error == EACCES && type == std::filesystem::file_type::regular)
        return "it is not executable";
    if (error == ENOEXEC)
        return "it is no program for this machine";
    if (error == ENOENT && type == std::filesystem::file_type::regular)
        return "the interpreter that its first line names does not exist";
    return std::strerror(error);
}

Result<pid_t> spawn(const Command& command, int out, int err) {
    KB_TRY_ASSIGN(program, resolve_program(command));
    std::vector<std::string> words{command.program.string()};
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    std::vector<std::string> variables;
    for (const auto& [name, value] : command.environment)
        variables.push_back(name + "=" + value);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    if (command.inherited_lock >= 0)
        posix_spawn_file_actions_adddup2(&actions, command.inherited_lock, kLockDescriptor);
    posix_spawn_file_actions_addclosefrom_np(
        &actions, command.inherited_lock >= 0 ? kLockDescriptor + 1 : kLockDescriptor);
    if (!command.folder.empty())
        posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());

    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);

    pid_t pid = 0;
    const int error = ::posix_spawn(&pid,
                                    program.c_str(),
                                    &actions,
                                    &attributes,
                                    pointers(words).data(),
                                    pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("cannot start `{}`: {}", program, why(program, error)));
    return pid;
}

/// Ends a child's process group in two steps, measured from the first call on.
class Terminator {
  public:
    void ask(pid_t pid) {
        const auto now = Clock::now();
        if (!asked_) {
            asked_ = now;
            ::kill(-pid, SIGTERM);
        } else if (!killed_ && (now - *asked_ > kGrace || support::stop_count() > 1)) {
            killed_ = true;
            ::kill(-pid, SIGKILL);
        }
    }
    bool asked() const { return asked_.has_value(); }

  private:
    std::optional<Clock::time_point> asked_;
    bool killed_ = false;
};

ExitStatus to_status(const siginfo_t& info) {
    if (info.si_code == CLD_EXITED)
        return {info.si_status, 0};
    return {0, info.si_status};
}

/// How the child ended; nothing while it runs.
std::optional<ExitStatus> status_of(pid_t pid) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG) != 0 ||
        info.si_pid != pid)
        return std::nullopt;
    return to_status(info);
}

/// Ends what a stopped program left in other process groups: Ninja makes one for each step.
void end_heirs(int lock) {
    if (lock < 0)
        return;
    std::error_code code;
    const auto path = std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", lock), code);
    for (const auto& heir : support::users_of_file(path))
        ::kill(heir.pid, SIGKILL);
}

/// Waits a tenth of a second at most for the child's output, its end or a stop; reads what is
/// there.
Result<void> read_some(int child, int stop, Stream& out, Stream& err) {
    std::array<pollfd, 4> fds{pollfd{out.open() ? out.fd() : -1, POLLIN, 0},
                              pollfd{err.open() ? err.fd() : -1, POLLIN, 0},
                              pollfd{child, POLLIN, 0},
                              pollfd{stop, POLLIN, 0}};
    if (::poll(fds.data(), fds.size(), 100) < 0 && errno != EINTR)
        return tl::unexpected(support::errno_error("cannot wait for a program", errno));
    if (fds[0].revents != 0)
        out.read_some();
    if (fds[1].revents != 0)
        err.read_some();
    return {};
}

/// Reads both streams until the child has ended and its pipes are drained.
Result<ExitStatus>
supervise(pid_t pid, int lock, const std::function<void(int)>& on_tick, Stream& out, Stream& err) {
    const Descriptor pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U)));
    Terminator terminator;
    std::optional<ExitStatus> status;
    std::optional<Clock::time_point> ended;
    while (!status || ((out.open() || err.open()) && Clock::now() - *ended < kDrain)) {
        KB_TRY(read_some(status ? -1 : pidfd.get(),
                         terminator.asked() ? -1 : support::stop_descriptor(),
                         out,
                         err));
        if (support::stop_signal() != 0)
            terminator.ask(pid);
        if (status)
            continue;
        if (on_tick)
            on_tick(pid);
        status = status_of(pid);
        if (status)
            ended = Clock::now();
    }
    if (terminator.asked()) {
        ::kill(-pid, SIGKILL); // whatever is left of the group
        end_heirs(lock);
        return support::fail(ErrorKind::interrupted, "interrupted");
    }
    return *status;
}

std::string last_lines(std::string_view text, std::size_t count) {
    std::size_t begin = text.size();
    for (std::size_t lines = 0; begin > 0; --begin)
        if (text[begin - 1] == '\n' && begin != text.size() && ++lines == count)
            break;
    return std::string(text.substr(begin));
}

} // namespace

std::string ExitStatus::describe() const {
    if (signal == 0)
        return fmt::format("exit code {}", code);
    const char* const name = ::sigabbrev_np(signal);
    return name != nullptr ? fmt::format("killed by SIG{}", name)
                           : fmt::format("killed by signal {}", signal);
}

Result<Output> run(const Command& command, const RunOptions& options) {
    support::log_debug("run: " + command.display());
    KB_TRY_ASSIGN(out_pipe, make_pipe());
    KB_TRY_ASSIGN(err_pipe, make_pipe());
    const int err_end = options.merge_stderr ? out_pipe.write.get() : err_pipe.write.get();
    KB_TRY_ASSIGN(pid, spawn(command, out_pipe.write.get(), err_end));
    out_pipe.write.close();
    err_pipe.write.close();
    Stream out(std::move(out_pipe.read), options.keep_bytes, options.on_line);
    Stream err(std::move(err_pipe.read), options.keep_bytes, {});
    KB_TRY_ASSIGN(status, supervise(pid, command.inherited_lock, options.on_tick, out, err));
    return Output{status, out.finish(), err.finish()};
}

Result<Output> run_ok(const Command& command, ErrorKind failure, const RunOptions& options) {
    KB_TRY_ASSIGN(output, run(command, options));
    if (output.status.ok())
        return output;
    const auto& said = options.merge_stderr || output.err.empty() ? output.out : output.err;
    return support::fail(failure,
                         fmt::format("`{}` failed ({}): {}",
                                     command.program.filename().string(),
                                     output.status.describe(),
                                     last_lines(said, 20)));
}

} // namespace kbuild::process
