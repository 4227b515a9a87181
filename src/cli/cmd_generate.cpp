#include "commands.hpp"
#include "project.hpp"
#include "unique_id.hpp"

#include "kbuild/generate/project.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <memory>

namespace kbuild::cli {
namespace {

using support::Result;

struct GenerateOptions {
    std::string dir;
    std::string unique_id = "local";
    bool force = false;
    bool dry_run = false;
};

Result<void> refuse_existing(const Project& project, const model::FileSet& files) {
    KB_TRY_ASSIGN(existing, generate::in_the_way(project.root, files));
    if (existing.empty())
        return {};
    return support::fail(
        support::ErrorKind::usage,
        fmt::format("these files are not kbuild's, or were changed since it wrote them:\n  {}",
                    support::join(existing, "\n  ")),
        "pass `--force` to replace them");
}

Result<int> run_generate(const Context& context, const GenerateOptions& options) {
    KB_TRY(check_unique_id(options.unique_id));
    KB_TRY_ASSIGN(project, load_project(context, options.dir));
    KB_TRY_ASSIGN(files, generate::project_files(project.config, options.unique_id));
    if (!options.force)
        KB_TRY(refuse_existing(project, files));
    for (const auto& [path, text] : files) {
        context.data(path + "\n");
        if (!options.dry_run)
            KB_TRY(support::write_file_if_changed(project.root / path, text));
    }
    if (!options.dry_run) {
        if (files.contains("CMakeLists.txt"))
            context.say("next: cmake -S . -B b && cmake --build b");
        context.say("next: python3 -m pip install --no-build-isolation -e .");
    }
    return 0;
}

} // namespace

Command generate_command() {
    return {
        "generate",
        "write a CMake project and setup.py that build the kernel without kbuild",
        {"create-pyproject"},
        [](Options& app) {
            const auto options = std::make_shared<GenerateOptions>();
            app.value(options->dir, {.names = "DIR", .help = kProjectHelp});
            app.value(
                options->unique_id,
                {.names = "--unique-id", .help = "last part of the ops' namespace", .type = "ID"});
            app.flag(options->force,
                     {.names = "-f,--force", .help = "replace files that are not kbuild's"});
            app.flag(options->dry_run, {.names = "-n,--dry-run", .help = "only list the files"});
            return [options](Context& context) { return run_generate(context, *options); };
        }};
}

} // namespace kbuild::cli
