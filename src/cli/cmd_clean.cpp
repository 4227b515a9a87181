#include "commands.hpp"
#include "project_lock.hpp"

#include "kbuild/build/work_folder.hpp"
#include "kbuild/config/load.hpp"
#include "kbuild/generate/project.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::Result;

struct CleanOptions {
    std::string dir;
    bool dry_run = false;
    bool variants = false;
};

/// What would go: the work folder if it carries kbuild's tag, with --variants also the built
/// variants.
Result<std::vector<fs::path>> clean_targets(const fs::path& root, bool variants) {
    std::vector<fs::path> targets;
    const auto work = root / ".kbuild";
    if (support::path_exists(work)) {
        if (!build::is_ours(work))
            return support::fail(
                support::ErrorKind::failed,
                fmt::format("`{}` has no CACHEDIR.TAG of kbuild, so it is not deleted",
                            support::display_path(work)),
                "look into it, and delete it by hand if nothing in it is yours");
        targets.push_back(work);
    }
    if (!variants)
        return targets;
    KB_TRY_ASSIGN(names, support::list_names(root / "build"));
    for (const auto& name : names)
        if (model::Variant::parse(name) &&
            support::is_file(root / "build" / name / "metadata.json"))
            targets.push_back(root / "build" / name);
    return targets;
}

Result<int> clean(const Context& context, const CleanOptions& options) {
    KB_TRY_ASSIGN(root,
                  config::find_project(fs::absolute(options.dir.empty() ? "." : options.dir)));
    // Under the lock nothing is deleted from under a build, and none begins before all is gone.
    std::optional<support::FileLock> held;
    if (const auto folder = build::work_folder(root);
        !options.dry_run && support::path_exists(folder.root)) {
        KB_TRY_ASSIGN(lock, lock_project(context, folder));
        held = std::move(lock);
    }
    KB_TRY_ASSIGN(targets, clean_targets(root, options.variants));
    KB_TRY_ASSIGN(generated, generate::generated_files(root));
    for (const auto& path : generated.files)
        targets.push_back(root / path);
    for (const auto& path : generated.changed)
        context.say(fmt::format("`{}` stays: it was changed since `kbuild generate` wrote it",
                                support::display_path(root / path)));
    for (const auto& target : targets) {
        context.data(fmt::format("{}{}\n",
                                 options.dry_run ? "would remove " : "removed ",
                                 support::display_path(target)));
        if (!options.dry_run)
            KB_TRY(support::remove_tree(target));
    }
    // Only if it is empty now.
    std::error_code ignored;
    if (!options.dry_run && !generated.files.empty() && fs::is_empty(root / "cmake", ignored))
        fs::remove(root / "cmake", ignored);
    if (targets.empty())
        context.say("nothing to remove");
    return 0;
}

} // namespace

Command clean_command() {
    return {
        "clean", "remove what kbuild made, nothing else", {"clean-pyproject"}, [](Options& app) {
            const auto options = std::make_shared<CleanOptions>();
            app.value(options->dir, {.names = "DIR", .help = kProjectHelp});
            app.flag(options->variants,
                     {.names = "--variants", .help = "also the variants under build/"});
            app.flag(options->dry_run,
                     {.names = "-n,--dry-run", .help = "only say what would be removed"});
            return [options](Context& context) { return clean(context, *options); };
        }};
}

} // namespace kbuild::cli
