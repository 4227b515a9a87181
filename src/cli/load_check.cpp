#include "load_check.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::Result;

constexpr int kNoKernels = 3;

/// Ends what the variant's own code may print.
constexpr std::string_view kAnswer = "kbuild-ops: ";

/// argv: the variant's folder, a backend if it is not the one that torch is for, and JSON of what
/// is declared. torch parses schemas itself, so that only their meaning counts.
constexpr const char* kLoad = R"(
import json, pathlib, sys
try:
    import kernels
except ImportError:
    sys.exit(3)
kernels.get_local_kernel(pathlib.Path(sys.argv[1]), backend=sys.argv[2] or None)
import torch
declared = json.loads(sys.argv[3])
prefix = declared["namespace"] + "::"
registered = {}
for schema in torch._C._jit_get_all_schemas():
    if schema.name.startswith(prefix):
        registered.setdefault(schema.name, set()).add(str(schema))
def is_registered(text):
    full = text if text.startswith(prefix) else prefix + text
    try:
        schema = torch._C.parse_schema(full)
    except RuntimeError:
        return False
    return str(schema) in registered.get(schema.name, ())
def has_kernel(name):
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    keys = declared["key"], "CompositeImplicitAutograd", "CompositeExplicitAutograd"
    return any(has(name, key) for key in keys)
print("\n" + declared["answer"] + json.dumps({
    "not_registered": [text for text in declared["schemas"] if not is_registered(text)],
    "not_there": [name for name in declared["used"] if prefix + name not in registered],
    "no_kernel": sorted(name[len(prefix):] for name in registered if not has_kernel(name)),
}))
)";

void say_not_run(const std::string& shown, const std::string& why, diag::Sink& sink) {
    sink.report(diag::finding(
        diag::Severity::note, "K0615", fmt::format("`{}` was not loaded: {}", shown, why), {}, {}));
}

std::string request(const verify::DeclaredOps& declared, model::Backend backend) {
    const nlohmann::json document = {{"namespace", declared.name_space},
                                     {"schemas", declared.schemas},
                                     {"used", declared.used},
                                     {"answer", kAnswer},
                                     // torch calls HIP devices "cuda"
                                     {"key", backend == model::Backend::cpu ? "CPU" : "CUDA"}};
    return document.dump();
}

process::Command load_command(const fs::path& variant,
                              const std::string& python,
                              const std::string& backend,
                              const std::string& declared) {
    process::Command command{python,
                             {"-c", kLoad, fs::absolute(variant).string(), backend, declared},
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

/// A list of the answer, each name in back-ticks.
std::vector<std::string> quoted(const nlohmann::json& answer, const char* list) {
    std::vector<std::string> lines;
    for (const auto& text : answer.at(list))
        lines.push_back(fmt::format("`{}`", text.get<std::string>()));
    return lines;
}

/// What torch said of the operators, as findings.
void judge_ops(const std::string& shown,
               const verify::DeclaredOps& declared,
               const nlohmann::json& answer,
               diag::Sink& sink) {
    const auto space = "torch.ops." + declared.name_space;
    const auto tell = [&](diag::Severity severity, const char* list, std::string_view what) {
        const auto lines = quoted(answer, list);
        if (lines.empty())
            return;
        auto finding =
            diag::finding(severity, "K0632", fmt::format("`{}`: {}", shown, what), {}, {});
        finding.notes = lines;
        sink.report(std::move(finding));
    };
    tell(diag::Severity::error,
         "not_registered",
         fmt::format("schemas that stand in the library and are not registered in `{}`", space));
    tell(diag::Severity::error,
         "not_there",
         fmt::format("operators that its Python code uses and that are not in `{}`", space));
    tell(diag::Severity::warning,
         "no_kernel",
         "operators without a kernel for the device that the variant is for");
}

void check_answer(const std::string& shown,
                  const verify::DeclaredOps& declared,
                  const std::string& output,
                  diag::Sink& sink) {
    const auto at = output.rfind(kAnswer);
    const auto answer = nlohmann::json::parse(
        at == std::string::npos ? std::string() : output.substr(at + kAnswer.size()),
        nullptr,
        false);
    if (answer.is_discarded())
        return say_not_run(shown, "the import ended Python before it was through", sink);
    judge_ops(shown, declared, answer, sink);
}

} // namespace

Result<void> check_load(const fs::path& variant,
                        const verify::DeclaredOps& declared,
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
    KB_TRY_ASSIGN(output,
                  process::run(load_command(
                      variant, python, on_cpu ? "cpu" : "", request(declared, parsed->backend))));
    if (output.status.code == kNoKernels && output.status.signal == 0) {
        say_not_run(shown, fmt::format("`{}` has no package `kernels`", python), sink);
        return {};
    }
    if (output.status.ok()) {
        if (!declared.name_space.empty())
            check_answer(shown, declared, output.out, sink);
        return {};
    }
    auto finding =
        diag::mistake("K0629", fmt::format("`{}` cannot be imported by `kernels`", shown), {}, {});
    finding.notes.push_back(exception_in(output.err));
    finding.notes.push_back(
        fmt::format("{} with {}", output.status.describe(), machine.to_string()));
    sink.report(std::move(finding));
    return {};
}

} // namespace kbuild::cli
