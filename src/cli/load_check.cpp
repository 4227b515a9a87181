#include "load_check.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::Result;

constexpr int kNoKernels = 3;

/// argv: the variant's folder, and a backend if it is not the one that torch is for.
constexpr const char* kLoad =
    "import pathlib, sys\n"
    "try:\n"
    "    import kernels\n"
    "except ImportError:\n"
    "    sys.exit(3)\n"
    "kernels.get_local_kernel(pathlib.Path(sys.argv[1]), backend=sys.argv[2] or None)\n";

void say_not_run(const std::string& shown, const std::string& why, diag::Sink& sink) {
    sink.report(diag::finding(
        diag::Severity::note, "K0615", fmt::format("`{}` was not loaded: {}", shown, why), {}, {}));
}

process::Command
load_command(const fs::path& variant, const std::string& python, const std::string& backend) {
    process::Command command{python,
                             {"-c", kLoad, fs::absolute(variant).string(), backend},
                             {},
                             process::clean_environment()};
    for (const auto* const name : {"PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV"})
        if (const auto value = support::environment(name))
            command.environment[name] = *value;
    command.environment["HF_HUB_OFFLINE"] = "1";
    command.environment["DISABLE_TELEMETRY"] = "1";
    command.environment["PYTHONDONTWRITEBYTECODE"] = "1"; // the folder stays as it is
    return command;
}

/// `ImportError: …`: of a trace that Python printed the last line that names an exception; the
/// loader adds lines of its own below it.
std::string exception_in(const std::string& trace) {
    const auto lines = support::split(std::string(support::trim(trace)), '\n');
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        const auto blank = line->find(' ');
        if (blank != std::string::npos && blank > 0 && line->at(blank - 1) == ':')
            return *line;
    }
    return lines.empty() ? std::string() : lines.back();
}

} // namespace

Result<void> check_load(const fs::path& variant,
                        const std::string& python,
                        const publish::Machine& here,
                        diag::Sink& sink) {
    const auto shown = support::display_path(variant);
    const auto parsed = model::Variant::parse(layout::folder_name(variant));
    if (!parsed || !here.torch) {
        say_not_run(shown,
                    parsed ? fmt::format("`{}` has no torch", python) : "its name is no variant's",
                    sink);
        return {};
    }
    // Every torch has a CPU.
    auto machine = here;
    const bool on_cpu = parsed->backend == model::Backend::cpu;
    if (on_cpu) {
        machine.backend = model::Backend::cpu;
        machine.backend_version = {};
    }
    const auto decision = publish::decide({*parsed}, machine).front();
    if (!decision.accepted) {
        say_not_run(shown, "it " + decision.reason, sink);
        return {};
    }
    KB_TRY_ASSIGN(output, process::run(load_command(variant, python, on_cpu ? "cpu" : "")));
    if (output.status.code == kNoKernels && output.status.signal == 0) {
        say_not_run(shown, fmt::format("`{}` has no package `kernels`", python), sink);
        return {};
    }
    if (output.status.ok())
        return {};
    auto finding =
        diag::mistake("K0629", fmt::format("`{}` cannot be imported by `kernels`", shown), {}, {});
    finding.notes.push_back(exception_in(output.err));
    finding.notes.push_back(
        fmt::format("{} with {}", output.status.describe(), machine.to_string()));
    sink.report(std::move(finding));
    return {};
}

} // namespace kbuild::cli
