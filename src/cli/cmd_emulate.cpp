#include "commands.hpp"
#include "stand_ins.hpp"

#include "kbuild/cli/options.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unistd.h>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::Result;

struct EmulateOptions {
    std::vector<std::string> program;
    std::string checks;
    std::string mfma;
    std::string schedule;
    std::string seed;
    std::string threads;
    std::string budget;
    std::string report;
    bool quiet = false;
};

/// The library path of the program: the stand-ins first, then what was there.
std::string library_path(const fs::path& folder) {
    const char* const old = std::getenv("LD_LIBRARY_PATH");
    const std::string path = (folder / "hip6").string() + ":" + (folder / "hip7").string();
    return old == nullptr || *old == '\0' ? path : path + ":" + old;
}

void set_variable(const char* name, const std::string& value) {
    if (!value.empty())
        setenv(name, value.c_str(), 1);
}

/// kbuild becomes the program, so signals and its exit code need no forwarding. The stand-in turns
/// the exit code into 6 if it found something.
Result<int> emulate(const EmulateOptions& options) {
    KB_TRY_ASSIGN(folder, find_stand_ins());
    set_variable("LD_LIBRARY_PATH", library_path(folder));
    set_variable("KBUILD_EMULATE_CHECKS", options.checks);
    set_variable("KBUILD_EMULATE_MFMA", options.mfma);
    set_variable("KBUILD_EMULATE_SCHEDULE", options.schedule);
    set_variable("KBUILD_EMULATE_SEED", options.seed);
    set_variable("KBUILD_EMULATE_THREADS", options.threads);
    set_variable("KBUILD_EMULATE_BUDGET", options.budget);
    set_variable("KBUILD_EMULATE_QUIET", options.quiet ? "1" : "");
    if (!options.report.empty())
        set_variable("KBUILD_EMULATE_REPORT", fs::absolute(options.report).string());
    std::vector<char*> arguments;
    for (const auto& word : options.program)
        arguments.push_back(const_cast<char*>(word.c_str())); // execvp() changes nothing
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    return support::fail(
        support::ErrorKind::usage,
        fmt::format("`{}` cannot be started: {}", options.program[0], std::strerror(errno)));
}

void declare(Options& app, EmulateOptions& options) {
    app.values(options.program,
               {.names = "PROGRAM",
                .help = "the program and its arguments, after `--`",
                .required = true});
    app.value(options.checks,
              {.names = "--checks",
               .help = "`all`, `none`, or some of memory,undefined,waits,hazards,races,streams",
               .type = "LIST",
               .variable = "KBUILD_EMULATE_CHECKS"});
    app.value(options.mfma,
              {.names = "--mfma",
               .help = "the hardware's sums, or plain fp32 order",
               .type = "HOW",
               .choices = {"exact", "fast"}});
    app.value(options.schedule,
              {.names = "--schedule",
               .help = "how the waves of a work-group take turns",
               .type = "NAME",
               .choices = {"round-robin", "random", "reverse"}});
    app.value(options.seed, {.names = "--seed", .help = "of `--schedule random`", .type = "N"});
    app.value(
        options.threads,
        {.names = "--threads", .help = "host threads; default: one per processor", .type = "N"});
    app.value(options.budget,
              {.names = "--budget",
               .help = "instructions of a work-group before it counts as endless",
               .type = "N"});
    app.value(options.report,
              {.names = "--report",
               .help = "write kernels, instructions and findings as JSON",
               .type = "FILE"});
    app.flag(options.quiet,
             {.names = "--no-summary", .help = "print neither findings nor the summary line"});
}

} // namespace

Command emulate_command() {
    return {"emulate",
            "run a HIP program on the CPU, from the gfx942 code in it",
            {},
            [](Options& app) {
                const auto options = std::make_shared<EmulateOptions>();
                declare(app, *options);
                return [options](Context&) { return emulate(*options); };
            }};
}

} // namespace kbuild::cli
