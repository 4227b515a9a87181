// kbuild-step FOLDER COMMAND...: runs one compile for Ninja. It measures the memory that the
// compile holds, lets heavy ones run together only as far as the budget goes, and tries one that
// was killed once more, alone. Decision 0090.

#include "child.hpp"
#include "turn.hpp"

#include "kbuild/step/message.hpp"
#include "kbuild/step/record.hpp"

#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace kbuild;

/// What a unit is taken for before anything is known of it.
constexpr std::uint64_t kFirstGuess = 512ULL << 20U;

/// What the command makes: the word after `-o`, else its last one.
std::string unit_of(char* const* command) {
    std::string last;
    for (; *command != nullptr; ++command) {
        if (std::string_view(*command) == "-o" && command[1] != nullptr)
            return command[1];
        last = *command;
    }
    return last;
}

void tell(const step::Killed& killed) {
    const auto line = step::to_line(killed) + "\n";
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0)
        return; // nobody listens
}

/// Ends as the compile did, by the same signal if it was one, so that the shell names it.
[[noreturn]] void end_as(const step::Ended& ended) {
    const int signal = ended.stopped_by != 0       ? ended.stopped_by
                       : WIFSIGNALED(ended.status) ? WTERMSIG(ended.status)
                                                   : 0;
    if (signal != 0) {
        ::prctl(PR_SET_DUMPABLE, 0); // one core dump is enough
        sigset_t all;
        sigfillset(&all);
        ::signal(signal, SIG_DFL);
        ::kill(::getpid(), signal);
        ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
    }
    ::_exit(signal != 0 ? 128 + signal : WEXITSTATUS(ended.status));
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3)
        return 64;
    ::prctl(PR_SET_PDEATHSIG, SIGTERM); // Ninja was killed
    const std::string folder = argv[1];
    char* const* const command = argv + 2;
    const auto unit = unit_of(command);
    auto peak = step::read_peak(folder, unit);
    std::optional turn(
        step::Turn::take(folder, unit, peak.remembered != 0 ? peak.remembered : kFirstGuess));
    auto ended = step::run_child(command);
    turn.reset();
    step::write_peak(folder, peak = step::updated(peak, ended.peak));
    if (ended.killed) {
        const auto held = ended.peak;
        step::forget(ended);
        turn.emplace(step::Turn::alone(folder, unit));
        ended = step::run_child(command);
        turn.reset();
        step::write_peak(folder, peak = step::updated(peak, ended.peak));
        tell({unit, ended.killed ? ended.peak : held, ended.killed});
    }
    step::say(ended);
    end_as(ended);
}
