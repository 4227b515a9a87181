#include "kbuild/build/compile.hpp"

#include "ninja_command.hpp"
#include "ninja_output.hpp"
#include "running_steps.hpp"

#include "kbuild/build/expected_steps.hpp"
#include "kbuild/build/steps.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/step/free_memory.hpp"
#include "kbuild/step/record.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>

namespace kbuild::build {
namespace {

using support::Result;

/// Which targets need no further step, asked of Ninja itself after a failed run.
Result<std::vector<std::string>>
complete_targets(const Plan& plan, const WorkFolder& folder, const toolchain::HostTools& tools) {
    std::vector<std::string> complete;
    for (const auto& target : targets_of(plan)) {
        auto command = ninja_command(folder, tools);
        command.arguments = {"-n", target};
        KB_TRY_ASSIGN(output, process::run(command, {.merge_stderr = true}));
        if (output.status.ok() && support::contains(output.out, "no work to do"))
            complete.push_back(target);
    }
    return complete;
}

void add_peaks(const std::vector<step::Peak>& peaks, std::vector<TimedStep>& steps) {
    std::map<std::string_view, std::uint64_t> by_unit;
    for (const auto& peak : peaks)
        by_unit[peak.unit] = peak.last;
    for (auto& step : steps)
        if (const auto found = by_unit.find(step.output); found != by_unit.end())
            step.peak = found->second;
}

/// As Ninja writes the times of files, whose clock may be some milliseconds behind.
std::int64_t nanoseconds_now() {
    constexpr std::int64_t kTick = 10'000'000;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() - kTick;
}

/// Of Ninja's output in an error, in bytes; the log has all of it.
constexpr std::size_t kShownNinja = 20'000;

/// What one run of Ninja said and did.
struct NinjaRun {
    process::Output output;
    NinjaOutput seen;
};

Result<NinjaRun> run_ninja(const WorkFolder& folder,
                           const toolchain::HostTools& tools,
                           unsigned jobs,
                           const CompileOptionsOfRun& options,
                           const std::vector<std::string>& targets) {
    auto command = ninja_command(folder, tools);
    command.arguments = {"-j", std::to_string(jobs), "-k", options.keep_going ? "0" : "1"};
    command.arguments.insert(command.arguments.end(), targets.begin(), targets.end());
    NinjaOutput seen(options.watcher);
    process::RunOptions run_options;
    run_options.merge_stderr = true;
    run_options.on_line = [&seen](std::string_view line) { seen.take(line); };
    if (options.watcher != nullptr)
        run_options.on_tick = [&options](int ninja) {
            options.watcher->time_passed(running_outputs(ninja));
        };
    KB_TRY_ASSIGN(output, process::run(command, run_options));
    return NinjaRun{std::move(output), std::move(seen)};
}

/// The signal that ended a step, as far as is known: Ninja does not tell how a command ended. A
/// shell says `Segmentation fault` and nothing else, or nothing at all if it was the command
/// itself. kbuild-step tells how a compile ended, and tried it again already.
std::optional<std::string> killed_by(const FailedStep& step) {
    if (step.killed)
        return std::nullopt;
    auto said = support::trim(step.said);
    if (const auto core = said.find(" (core dumped)"); core != std::string_view::npos)
        said = said.substr(0, core);
    if (said.empty())
        return "a signal, or without a word";
    for (int signal = 1; signal < NSIG; ++signal)
        if (const char* const text = ::sigdescr_np(signal); text != nullptr && said == text)
            return fmt::format("SIG{}", ::sigabbrev_np(signal));
    return std::nullopt;
}

std::vector<std::string> killed_outputs(const std::vector<FailedStep>& failed) {
    std::vector<std::string> outputs;
    for (const auto& step : failed)
        if (killed_by(step))
            outputs.push_back(step.output);
    return outputs;
}

bool is_among(const std::vector<FailedStep>& failed, const std::string& output) {
    return std::any_of(failed.begin(), failed.end(), [&output](const FailedStep& step) {
        return step.output == output;
    });
}

/// Says in each failed step what is known of its end.
void add_signals(std::vector<FailedStep>& failed) {
    for (auto& step : failed)
        if (const auto signal = killed_by(step))
            step.said = fmt::format("killed by {}", *signal);
}

std::string killed_once(const std::string& output) {
    return fmt::format("what makes `{}` was killed, and was started once more, alone: memory may "
                       "be short",
                       output);
}

/// Steps that were killed, by the kernel for want of memory more often than not, are tried once
/// more, one at a time, and all that waits for them after that.
Result<NinjaRun> try_killed_again(NinjaRun first,
                                  const Plan& plan,
                                  const WorkFolder& folder,
                                  const toolchain::HostTools& tools,
                                  const CompileOptionsOfRun& options,
                                  std::vector<std::string>& warnings) {
    const auto killed = killed_outputs(first.seen.failed());
    if (killed.empty())
        return first;
    KB_TRY_ASSIGN(alone, run_ninja(folder, tools, 1, options, killed));
    const auto still = alone.seen.failed();
    const auto known = warnings.size();
    for (const auto& output : killed)
        if (!is_among(still, output))
            warnings.push_back(killed_once(output));
    if (warnings.size() == known)
        return first;
    return run_ninja(folder, tools, 1, options, targets_of(plan));
}

} // namespace

Result<Compiled> compile(const Plan& plan,
                         const WorkFolder& folder,
                         const toolchain::HostTools& tools,
                         const CompileOptionsOfRun& options) {
    if (targets_of(plan).empty())
        return Compiled();
    const auto start = std::chrono::steady_clock::now();
    const auto began = nanoseconds_now();
    const auto cache_log = folder.work / kCacheLog;
    KB_TRY(support::remove_tree(cache_log));
    KB_TRY(prepare_steps(
        folder, options.memory != 0 ? options.memory : step::share_of(step::free_memory())));
    Compiled result;
    if (options.watcher != nullptr)
        options.watcher->steps_expected({expected_steps(plan, folder, tools), options.jobs});
    KB_TRY_ASSIGN(first, run_ninja(folder, tools, options.jobs, options, targets_of(plan)));
    for (const auto& killed : first.seen.killed())
        result.warnings.push_back(fmt::format(
            "{} (it held {})", killed_once(killed.unit), support::human_size(killed.peak)));
    const auto compiles = first.seen.compiles();
    const auto links = first.seen.links();
    KB_TRY_ASSIGN(
        last, try_killed_again(std::move(first), plan, folder, tools, options, result.warnings));
    if (const auto logged =
            support::write_file_atomically(folder.logs / "ninja.log", last.output.out);
        !logged)
        result.warnings.push_back(logged.error().message);

    result.compiles = std::max(compiles, last.seen.compiles());
    result.links = std::max(links, last.seen.links());
    result.failed = last.seen.failed();
    if (const auto log = support::read_file(folder.work / ".ninja_log"))
        result.steps = timed_steps(*log, began);
    add_peaks(step::read_peaks(folder.work / kMemoryFolder), result.steps);
    if (const auto log = support::read_file(cache_log))
        result.cache = count_cache_log(*log);
    if (last.output.status.ok()) {
        result.up_to_date = targets_of(plan);
    } else if (result.failed.empty()) {
        return support::fail(
            support::ErrorKind::failed,
            fmt::format("Ninja failed ({}): {}",
                        last.output.status.describe(),
                        support::end_of(last.output.out, kShownNinja)),
            fmt::format("the log is `{}`", support::display_path(folder.logs / "ninja.log")));
    } else {
        add_signals(result.failed);
        KB_TRY_ASSIGN(complete, complete_targets(plan, folder, tools));
        result.up_to_date = std::move(complete);
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

} // namespace kbuild::build
