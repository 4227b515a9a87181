#include "test_programs.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/host.hpp"
#include "kbuild/toolchain/local_torch.hpp"

#include <fmt/format.h>

#include <optional>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

constexpr int kSkipped = 77;

/// The shared library of a variant; none in a package of Python files.
std::optional<fs::path> library_of(const layout::FoundVariant& variant) {
    for (const auto& name : support::list_names(variant.path).value_or(std::vector<std::string>()))
        if (name.ends_with(".so"))
            return variant.path / name;
    return std::nullopt;
}

/// The library is a Python module as well: what only Python calls has to be there when it is
/// loaded.
Result<std::string> python_names(const fs::path& library) {
    KB_TRY_ASSIGN(file, elf::read_elf(library));
    std::string text = "/* Names of Python that are never called without one. */\n";
    for (const auto& symbol : file.symbols) {
        if (symbol.defined || !(symbol.name.starts_with("Py") || symbol.name.starts_with("_Py")))
            continue;
        text += symbol.object ? fmt::format("char {}[256];\n", symbol.name)
                              : fmt::format("void {}(void) {{ __builtin_trap(); }}\n", symbol.name);
    }
    return text;
}

struct Program {
    fs::path source;
    fs::path names; ///< C source of python_names()
    fs::path torch; ///< holds include and lib
    fs::path output;
};

process::Command
compile_command(const Project& project, const fs::path& compiler, const Program& program) {
    const auto lib = program.torch / "lib";
    return {compiler,
            {"-std=c++20",
             "-O1",
             "-I" + project.root.string(),
             "-isystem",
             (program.torch / "include").string(),
             "-isystem",
             (program.torch / "include/torch/csrc/api/include").string(),
             program.source.string(),
             program.names.string(),
             "-o",
             program.output.string(),
             "-rdynamic",
             (lib / "libtorch_cpu.so").string(),
             (lib / "libc10.so").string(),
             "-ldl",
             "-Wl,-rpath," + lib.string(),
             // The GPU libraries that torch itself needs are found when it is loaded.
             "-Wl,--allow-shlib-undefined"},
            {},
            process::clean_environment()};
}

/// A report as pytest writes it, of one case that passed.
std::string passed_report(const std::string& source) {
    return fmt::format("<testsuite name=\"pytest\" tests=\"1\" failures=\"0\" skipped=\"0\" "
                       "errors=\"0\"><testcase classname=\"programs\" name=\"{}\" /></testsuite>",
                       source);
}

class Programs {
  public:
    Programs(const Context& context, const Project& project, const ProgramTest& how)
        : context_(context), project_(project), how_(how) {}

    Result<TestOutcome> run(const std::string& source,
                            const layout::FoundVariant& variant,
                            const fs::path& library,
                            const fs::path& torch) const {
        TestOutcome outcome{fmt::format("{}, {}", variant.variant.name(), source),
                            TestOutcome::State::failed,
                            {},
                            {}};
        KB_TRY_ASSIGN(tools, toolchain::find_host_tools(project_.settings.host_cxx));
        KB_TRY_ASSIGN(names, python_names(library));
        const Program program{project_.root / source,
                              how_.folder / "python_names.c",
                              torch,
                              how_.folder / fs::path(source).stem()};
        KB_TRY(support::write_file_atomically(program.names, names));
        KB_TRY_ASSIGN(object, compile_names(tools.c, program.names));
        auto linked_program = program;
        linked_program.names = object;
        context_.say(fmt::format("testing {}", outcome.variant));
        KB_TRY_ASSIGN(compiled, say(compile_command(project_, tools.cxx, linked_program)));
        if (!compiled.status.ok()) {
            outcome.reason = "does not compile or link";
            return outcome;
        }
        KB_TRY_ASSIGN(ran,
                      say({program.output, {library.string()}, project_.root, how_.environment}));
        if (ran.status.ok()) {
            outcome.state = TestOutcome::State::passed;
            outcome.report = passed_report(source);
        } else if (ran.status.signal == 0 && ran.status.code == kSkipped) {
            outcome.state = TestOutcome::State::skipped;
            outcome.reason = "the program skips itself";
        } else {
            outcome.reason = ran.status.describe();
        }
        return outcome;
    }

  private:
    Result<process::Output> say(const process::Command& command) const {
        return process::run(command,
                            {.merge_stderr = true, .on_line = [this](std::string_view line) {
                                 context_.say(std::string(line));
                             }});
    }

    static Result<fs::path> compile_names(const fs::path& compiler, const fs::path& source) {
        const auto object = fs::path(source).replace_extension(".o");
        KB_TRY(process::run_ok({compiler,
                                {"-c", source.string(), "-o", object.string()},
                                {},
                                process::clean_environment()},
                               ErrorKind::toolchain));
        return object;
    }

    const Context& context_;
    const Project& project_;
    const ProgramTest& how_;
};

} // namespace

Result<std::vector<TestOutcome>> run_test_programs(const Context& context,
                                                   const Project& project,
                                                   const layout::FoundVariant& variant,
                                                   const ProgramTest& how) {
    std::vector<TestOutcome> outcomes;
    const auto& sources = project.settings.test_programs;
    const auto library = library_of(variant);
    if (sources.empty() || !library)
        return outcomes;
    KB_TRY_ASSIGN(
        torch,
        toolchain::local_torch_folder(support::find_program(how.python).value_or(how.python)));
    KB_TRY(support::make_folder(how.folder));
    const Programs programs(context, project, how);
    for (const auto& source : sources) {
        KB_TRY_ASSIGN(outcome, programs.run(source.value, variant, *library, torch));
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

} // namespace kbuild::cli
