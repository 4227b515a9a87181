#include "machine.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

using support::ErrorKind;
using support::Result;

/// What the loader looks at (upstream.md 4.4), one value a line.
constexpr const char* kProbe = "import torch\n"
                               "print(torch.__version__)\n"
                               "print(torch.compiled_with_cxx11_abi())\n"
                               "print(torch.version.cuda or '')\n"
                               "print((torch.version.hip or '').split('-')[0])\n";

Result<model::Version> to_version(const std::string& text, const char* option) {
    const auto version = model::Version::parse(text);
    if (!version)
        return support::fail(ErrorKind::usage, fmt::format("`{} {}` is no version", option, text));
    return version->major_minor();
}

/// `2.13.0+cu130` -> 2.13.
std::optional<model::Version> torch_version(const std::string& text) {
    const auto version = model::Version::parse(text.substr(0, text.find_first_of("+ab")));
    return version ? std::optional(version->major_minor()) : std::nullopt;
}

publish::Machine bare_machine() {
    publish::Machine machine;
    machine.cpu = std::string(model::host_cpu());
    return machine;
}

publish::Machine machine_here(const Context& context, const std::string& python) {
    auto machine = bare_machine();
    process::Command command{python, {"-c", kProbe}, {}, process::clean_environment()};
    for (const auto* const name : {"PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV"})
        if (const auto value = support::environment(name))
            command.environment[name] = *value;
    const auto output = process::run(command);
    const auto lines = output ? support::split(output->out, '\n') : std::vector<std::string>();
    if (!output || !output->status.ok() || lines.size() < 4) {
        context.say(fmt::format(
            "note: `{}` imports no torch: only variants that need none fit here", python));
        return machine;
    }
    machine.torch = torch_version(lines[0]);
    machine.cxx11_abi = lines[1] == "True";
    for (const auto& [text, backend] :
         {std::pair(lines[2], model::Backend::cuda), std::pair(lines[3], model::Backend::rocm)})
        if (const auto version = model::Version::parse(text); version && !text.empty()) {
            machine.backend = backend;
            machine.backend_version = version->major_minor();
            break;
        }
    return machine;
}

} // namespace

void MachineOptions::declare(Options& app) {
    app.value(torch,
              {.names = "--torch",
               .help = "judge for this torch, as 2.13, not for the one here",
               .type = "VERSION"});
    app.value(
        rocm,
        {.names = "--rocm", .help = "and for this ROCm, as 7.2 (with --torch)", .type = "VERSION"});
    app.value(python,
              {.names = "--python", .help = "whose torch is the one here", .type = "PROGRAM"});
}

Result<publish::Machine> MachineOptions::machine(const Context& context) const {
    if (torch.empty() && rocm.empty())
        return machine_here(context, python);
    auto machine = bare_machine();
    if (!torch.empty()) {
        KB_TRY_ASSIGN(version, to_version(torch, "--torch"));
        machine.torch = version;
    }
    if (!rocm.empty()) {
        KB_TRY_ASSIGN(version, to_version(rocm, "--rocm"));
        machine.backend = model::Backend::rocm;
        machine.backend_version = version;
    }
    return machine;
}

} // namespace kbuild::cli
