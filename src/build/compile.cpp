#include "kbuild/build/compile.hpp"

#include "ninja_command.hpp"
#include "ninja_output.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

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

/// As Ninja writes the times of files, whose clock may be some milliseconds behind.
std::int64_t nanoseconds_now() {
    constexpr std::int64_t kTick = 10'000'000;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() - kTick;
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
    const unsigned jobs =
        options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
    auto command = ninja_command(folder, tools);
    command.arguments = {"-j", std::to_string(jobs), "-k", options.keep_going ? "0" : "1"};
    for (auto& target : targets_of(plan))
        command.arguments.push_back(std::move(target));

    const auto cache_log = folder.work / kCacheLog;
    KB_TRY(support::remove_tree(cache_log));
    NinjaOutput parser(options.on_step);
    process::RunOptions run_options;
    run_options.merge_stderr = true;
    run_options.on_line = [&parser](std::string_view line) { parser.take(line); };
    KB_TRY_ASSIGN(output, process::run(command, run_options));
    KB_TRY(support::write_file_atomically(folder.logs / "ninja.log", output.out));

    Compiled result;
    result.compiles = parser.compiles();
    result.links = parser.links();
    result.failed = parser.failed();
    if (const auto log = support::read_file(folder.work / ".ninja_log"))
        result.steps = timed_steps(*log, began);
    if (const auto log = support::read_file(cache_log))
        result.cache = count_cache_log(*log);
    if (output.status.ok()) {
        result.up_to_date = targets_of(plan);
    } else if (result.failed.empty()) {
        return support::fail(
            support::ErrorKind::failed,
            fmt::format("Ninja failed ({}): {}", output.status.describe(), output.out),
            fmt::format("the log is `{}`", support::display_path(folder.logs / "ninja.log")));
    } else {
        KB_TRY_ASSIGN(complete, complete_targets(plan, folder, tools));
        result.up_to_date = std::move(complete);
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

} // namespace kbuild::build
