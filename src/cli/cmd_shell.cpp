#include "commands.hpp"
#include "emulated_device.hpp"
#include "project_environment.hpp"
#include "sdk_options.hpp"

#include "kbuild/matrix/select.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unistd.h>

namespace kbuild::cli {
namespace {

using support::ErrorKind;
using support::Result;

struct ShellOptions {
    std::string dir;
    SelectionOptions selection;
    bool venv = false;
    std::string python = "python3";
    std::vector<std::string> program;
    DeviceOptions device;
};

/// The variant whose environment it is: of those that fit the filters the last by name, which is
/// the newest torch with the newest ROCm.
Result<const matrix::Selected*> choose(const matrix::BuildSet& set) {
    KB_TRY(matrix::check_selection(set));
    const matrix::Selected* chosen = nullptr;
    for (const auto& selected : set.selected)
        if (chosen == nullptr || chosen->rocm == nullptr || selected.rocm != nullptr)
            chosen = &selected;
    return chosen;
}

/// kbuild becomes the program, so a terminal, signals and the exit code are its own.
Result<int> become(std::vector<std::string> program, const Variables& variables) {
    for (const auto& [name, value] : variables)
        ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (auto& word : program)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    return support::fail(
        ErrorKind::usage,
        fmt::format("`{}` cannot be started: {}", program[0], std::strerror(errno)));
}

Result<int> shell(const Context& context, const ShellOptions& options) {
    KB_TRY(options.device.validate());
    KB_TRY_ASSIGN(project, load_project(context, options.dir));
    KB_TRY_ASSIGN(find_options, options.selection.find_options(&context));
    KB_TRY_ASSIGN(filters, options.selection.filters());
    KB_TRY_ASSIGN(sdks, toolchain::find_sdks(find_options));
    const auto set =
        matrix::select(project.config, project.settings, sdks.rocm, sdks.torch, filters);
    KB_TRY_ASSIGN(variant, choose(set));
    auto variables = project_environment(project, variant->rocm);
    variables["KBUILD_VARIANT"] = variant->variant.name();
    if (options.device.emulate) {
        KB_TRY_ASSIGN(
            emulated,
            emulated_python(
                context, project, variant->variant, sdks, options.device, options.python));
        variables.insert(emulated.variables.begin(), emulated.variables.end());
        prepend_path(variables, "PATH", emulated.python.parent_path());
    }
    if (options.venv)
        KB_TRY(add_python_environment(project, options.python, variables));
    if (variables.count("LOCAL_KERNELS") == 0)
        context.say("note: build.toml has no `repo-id`, so LOCAL_KERNELS is not set");
    auto program = options.program;
    if (program.empty())
        program = {support::environment("SHELL").value_or("/bin/sh")};
    context.say(fmt::format("environment of {}", variant->variant.name()));
    return become(std::move(program), variables);
}

} // namespace

Command shell_command() {
    return {"shell",
            "a command, or a shell, in the environment of one variant",
            {"devshell"},
            [](Options& app) {
                const auto options = std::make_shared<ShellOptions>();
                app.values(options->program,
                           {.names = "PROGRAM",
                            .help = "the program and its arguments, after `--`; default: $SHELL"});
                app.value(options->dir,
                          {.names = "--project", .help = kProjectHelp, .type = "DIR"});
                options->selection.declare(app);
                app.flag(options->venv,
                         {.names = "--venv",
                          .help = "with a Python environment of its own (.kbuild/venv)"});
                app.value(options->python,
                          {.names = "--python", .help = "which makes it", .type = "PROGRAM"});
                options->device.declare(app);
                return [options](Context& context) { return shell(context, *options); };
            }};
}

} // namespace kbuild::cli
