#include "commands.hpp"
#include "emulated_device.hpp"
#include "junit.hpp"
#include "machine.hpp"
#include "project_environment.hpp"
#include "sdk_options.hpp"
#include "test_programs.hpp"

#include "kbuild/build/work_folder.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/publish/accept.hpp"
#include "kbuild/support/embedded.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

struct TestOptions {
    std::string dir;
    std::string python = "python3";
    std::string marker = "kernels_ci";
    std::string junit;
    std::vector<std::string> variants;
    std::vector<std::string> arguments; ///< for pytest
    DeviceOptions device;
};

/// pytest's exit codes that mean something here.
constexpr int kNoTests = 5;

bool is_wanted(const TestOptions& options, const std::string& name) {
    return options.variants.empty() ||
           std::any_of(options.variants.begin(), options.variants.end(), [&](const auto& pattern) {
               return support::matches_glob(pattern, name);
           });
}

/// Why a variant cannot run here; empty if it can.
std::string obstacle(const model::Variant& variant, publish::Machine machine) {
    if (variant.backend == model::Backend::rocm) {
        if (!support::path_exists("/dev/kfd"))
            return "this machine has no AMD GPU (`/dev/kfd`)";
    } else {
        // A test names the cpu backend itself, whatever else the torch at hand can do.
        machine.backend = model::Backend::cpu;
        machine.backend_version = {};
    }
    const auto decisions = publish::decide({variant}, machine);
    return decisions.front().accepted ? std::string() : decisions.front().reason;
}

/// How a user of this Python runs it, and not how kbuild builds.
Variables python_environment(const Variables& more) {
    auto variables = process::clean_environment();
    for (const auto* const name : {"PYTHONPATH",
                                   "LD_LIBRARY_PATH",
                                   "VIRTUAL_ENV",
                                   "HF_HOME",
                                   "HF_HUB_OFFLINE",
                                   "HIP_VISIBLE_DEVICES",
                                   "ROCR_VISIBLE_DEVICES"})
        if (const auto value = support::environment(name))
            variables[name] = *value;
    for (const auto& [name, value] : more)
        variables[name] = value;
    return variables;
}

/// A folder that shows the loader one variant alone, so that it is that one which is tested.
Result<fs::path> single_variant(const build::WorkFolder& folder,
                                const layout::FoundVariant& variant) {
    const auto place = folder.root / "test" / variant.variant.name();
    KB_TRY(support::remove_tree(place));
    KB_TRY(support::make_folder(place / "build"));
    std::error_code code;
    fs::create_directory_symlink(variant.path, place / "build" / variant.variant.name(), code);
    if (code)
        return support::fail(ErrorKind::failed,
                             fmt::format("cannot link `{}`: {}", place.string(), code.message()));
    return place;
}

/// Where `kbuild_marker.py` lies, for pytest's `-p`.
Result<fs::path> marker_plugin(const fs::path& place) {
    constexpr std::string_view kFile = "kbuild_marker.py";
    const auto text = support::embedded::find(support::embedded::data(), "python/kbuild_marker.py");
    const auto folder = place / "plugins";
    KB_TRY(support::write_file_atomically(folder / kFile, text));
    return folder;
}

/// What tests run on: this machine as it is, or the emulated device.
struct Bench {
    publish::Machine machine;
    toolchain::FoundSdks sdks; ///< for the emulated device
};

/// Whether pytest's arguments say themselves which files to run: `tests/test_a.py::test_b`.
bool names_tests(const std::vector<std::string>& arguments) {
    return std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
        return !argument.starts_with("-") &&
               support::contains(argument.substr(0, argument.find("::")), ".py");
    });
}

class Runner {
  public:
    Runner(const Context& context,
           const Project& project,
           const TestOptions& options,
           const Bench& bench)
        : context_(context), project_(project), options_(options), bench_(bench),
          folder_(build::work_folder(project.root)) {}

    Result<TestOutcome> run(const layout::FoundVariant& variant) const {
        TestOutcome outcome{variant.variant.name(), TestOutcome::State::skipped, {}, {}};
        outcome.reason = options_.device.emulate ? emulation_obstacle(variant.variant, bench_.sdks)
                                                 : obstacle(variant.variant, bench_.machine);
        if (!outcome.reason.empty())
            return outcome;
        KB_TRY_ASSIGN(place, single_variant(folder_, variant));
        KB_TRY_ASSIGN(python, python_of(variant.variant, place));
        KB_TRY_ASSIGN(plugins, marker_plugin(place));
        auto& modules = python.variables["PYTHONPATH"];
        modules = plugins.string() + (modules.empty() ? "" : ":" + modules);
        python.variables["KBUILD_TEST_MARKER"] = options_.marker;
        const auto report = place / "junit.xml";
        context_.say(fmt::format("testing {}", outcome.variant));
        KB_TRY_ASSIGN(output,
                      process::run(pytest(python, place, report),
                                   {.merge_stderr = true, .on_line = [this](std::string_view line) {
                                        context_.say(std::string(line));
                                    }}));
        outcome.report = support::read_file(report).value_or("");
        if (!output.status.ok() && support::contains(output.out, "No module named pytest"))
            return support::fail(ErrorKind::toolchain,
                                 fmt::format("`{}` has no pytest", options_.python),
                                 fmt::format("{} -m pip install pytest", options_.python));
        if (output.status.signal == 0 && output.status.code == kNoTests) {
            outcome.reason = options_.arguments.empty()
                                 ? fmt::format("no test has the marker `{}`", options_.marker)
                                 : fmt::format("no test has the marker `{}` and fits `{}`",
                                               options_.marker,
                                               support::join(options_.arguments, " "));
            return outcome;
        }
        outcome.state =
            output.status.ok() ? TestOutcome::State::passed : TestOutcome::State::failed;
        outcome.reason = output.status.ok() ? std::string() : output.status.describe();
        return outcome;
    }

    /// The C++ programs of `[test] programs`; none for a variant that cannot run here. They link
    /// torch's real libraries, so the emulated device is not for them.
    Result<std::vector<TestOutcome>> run_programs(const layout::FoundVariant& variant) const {
        if (options_.device.emulate || !obstacle(variant.variant, bench_.machine).empty())
            return std::vector<TestOutcome>();
        auto variables = project_environment(project_, nullptr);
        variables["KBUILD_VARIANT"] = variant.variant.name();
        return run_test_programs(context_,
                                 project_,
                                 variant,
                                 {folder_.root / "test" / variant.variant.name() / "programs",
                                  options_.python,
                                  python_environment(variables)});
    }

  private:
    Result<EmulatedPython> python_of(const model::Variant& variant, const fs::path& place) const {
        if (!options_.device.emulate)
            return EmulatedPython{options_.python, python_environment({})};
        KB_TRY_ASSIGN(
            python,
            emulated_python(
                context_, project_, variant, bench_.sdks, options_.device, options_.python));
        python.variables["KBUILD_EMULATE_REPORT"] = (place / "emulated.json").string();
        auto variables = process::clean_environment();
        for (const auto& [name, value] : python.variables)
            variables[name] = value;
        return EmulatedPython{python.python, variables};
    }

    process::Command
    pytest(const EmulatedPython& python, const fs::path& place, const fs::path& report) const {
        auto variables = python.variables;
        for (const auto& [name, value] : project_environment(project_, nullptr))
            variables[name] = value;
        if (const auto& id = project_.config.general.hub.repo_id)
            variables["LOCAL_KERNELS"] = fmt::format("{}={}", *id, place.string());
        variables["KBUILD_VARIANT"] = place.filename().string();
        if (!options_.device.emulate) // its bytecode is kept, elsewhere
            variables["PYTHONDONTWRITEBYTECODE"] = "1";
        std::vector<std::string> arguments{"-m",
                                           "pytest",
                                           "-m",
                                           options_.marker,
                                           "-p",
                                           "no:cacheprovider",
                                           "-p",
                                           "kbuild_marker",
                                           "--junitxml=" + report.string()};
        if (!names_tests(options_.arguments))
            arguments.push_back((project_.root / "tests").string());
        if (options_.device.emulate)
            arguments.insert(arguments.end(), {"-p", "kbuild_device.pytest_plugin"});
        arguments.insert(arguments.end(), options_.arguments.begin(), options_.arguments.end());
        return {python.python.string(), arguments, project_.root, variables};
    }

    const Context& context_;
    const Project& project_;
    const TestOptions& options_;
    const Bench& bench_;
    build::WorkFolder folder_;
};

std::string to_table(const std::vector<TestOutcome>& outcomes) {
    std::vector<std::vector<std::string>> rows{{"VARIANT", "RESULT", "WHY"}};
    for (const auto& outcome : outcomes)
        rows.push_back({outcome.variant, std::string(name_of(outcome.state)), outcome.reason});
    return ui::table(rows);
}

std::size_t count(const std::vector<TestOutcome>& outcomes, TestOutcome::State state) {
    return static_cast<std::size_t>(std::count_if(
        outcomes.begin(), outcomes.end(), [&](const auto& entry) { return entry.state == state; }));
}

Result<Bench> find_bench(const Context& context, const TestOptions& options) {
    Bench bench;
    if (options.device.emulate) {
        KB_TRY_ASSIGN(find_options, SelectionOptions().find_options());
        KB_TRY_ASSIGN(sdks, toolchain::find_sdks(find_options));
        bench.sdks = std::move(sdks);
        return bench;
    }
    MachineOptions machine_options;
    machine_options.python = options.python;
    KB_TRY_ASSIGN(machine, machine_options.machine(context));
    bench.machine = std::move(machine);
    return bench;
}

/// `kbuild test -- -k relu`: what follows the dashes is for pytest, though the first word would be
/// the project's folder.
TestOptions sorted_out(TestOptions options) {
    if (options.dir.starts_with("-")) {
        options.arguments.insert(options.arguments.begin(), options.dir);
        options.dir.clear();
    }
    return options;
}

std::string nothing_to_test(const TestOptions& options,
                            const std::vector<layout::FoundVariant>& variants) {
    if (variants.empty())
        return "nothing is built: `kbuild build`";
    std::string built;
    for (const auto& variant : variants)
        built += "\n  " + variant.variant.name();
    return fmt::format("no variant fits `--variant {}`; there are:{}",
                       support::join(options.variants, ","),
                       built);
}

Result<int> test(const Context& context, const TestOptions& options) {
    KB_TRY(options.device.validate());
    KB_TRY_ASSIGN(project, load_project(context, options.dir));
    if (!support::is_folder(project.root / "tests"))
        return support::fail(ErrorKind::nothing, "the project has no folder `tests`");
    KB_TRY_ASSIGN(variants, layout::discover(project.root));
    KB_TRY(build::mark_as_ours(build::work_folder(project.root)));
    KB_TRY_ASSIGN(bench, find_bench(context, options));
    if (!project.config.general.hub.repo_id)
        context.say("note: build.toml has no `repo-id`, so LOCAL_KERNELS is not set");
    const Runner runner(context, project, options, bench);
    std::vector<TestOutcome> outcomes;
    for (const auto& variant : variants) {
        if (!is_wanted(options, variant.variant.name()))
            continue;
        KB_TRY_ASSIGN(outcome, runner.run(variant));
        outcomes.push_back(std::move(outcome));
        KB_TRY_ASSIGN(programs, runner.run_programs(variant));
        outcomes.insert(outcomes.end(), programs.begin(), programs.end());
    }
    if (outcomes.empty())
        return support::fail(ErrorKind::nothing, nothing_to_test(options, variants));
    if (!options.junit.empty())
        KB_TRY(support::write_file_atomically(options.junit, junit_text(outcomes)));
    context.data(to_table(outcomes));
    if (count(outcomes, TestOutcome::State::failed) > 0)
        return support::exit_code(ErrorKind::failed);
    if (count(outcomes, TestOutcome::State::passed) == 0)
        return support::fail(ErrorKind::nothing, "no variant could be tested here");
    return 0;
}

} // namespace

Command test_command() {
    return {"test",
            "the project's tests with each variant that can run here",
            {"ci-test"},
            [](Options& app) {
                const auto options = std::make_shared<TestOptions>();
                app.value(options->dir, {.names = "DIR", .help = kProjectHelp});
                app.values(options->variants,
                           {.names = "--variant",
                            .help = "only these variants (names or globs)",
                            .type = "NAME"});
                app.value(options->python,
                          {.names = "--python",
                           .help = "which has torch, kernels and pytest",
                           .type = "PROGRAM",
                           .variable = "KBUILD_TEST_PYTHON"});
                app.value(options->marker,
                          {.names = "--marker", .help = "tests with this mark", .type = "NAME"});
                app.value(options->junit,
                          {.names = "--junit", .help = "write a JUnit report", .type = "FILE"});
                app.values(options->arguments,
                           {.names = "ARGUMENT", .help = "arguments for pytest, after `--`"});
                options->device.declare(app);
                return [options](Context& context) { return test(context, sorted_out(*options)); };
            }};
}

} // namespace kbuild::cli
