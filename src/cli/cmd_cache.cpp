#include "commands.hpp"

#include "kbuild/build/compiler_cache.hpp"
#include "kbuild/build/configure.hpp"
#include "kbuild/precompile/precompiled.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <memory>

namespace kbuild::cli {
namespace {

using support::ErrorKind;
using support::Result;

struct CacheOptions {
    std::string action;
    std::string max_size = "5G";
};

/// Runs ccache on kbuild's own cache.
Result<void> run_ccache(std::vector<std::string> arguments) {
    const auto program = support::find_program("ccache");
    if (!program)
        return support::fail(
            ErrorKind::toolchain, "ccache is not installed", "sudo apt-get install ccache");
    process::Command command{*program, std::move(arguments), {}, process::clean_environment()};
    command.environment["CCACHE_DIR"] = build::default_cache_folder().string();
    KB_TRY(process::run_ok(command, ErrorKind::failed));
    return {};
}

Result<std::uintmax_t> size_of(const std::filesystem::path& folder) {
    KB_TRY_ASSIGN(files, support::list_files(folder));
    std::uintmax_t bytes = 0;
    for (const auto& file : files)
        bytes += support::size_of_file(folder / file);
    return bytes;
}

/// Folders of a build's caches and what is in them.
struct CachePart {
    std::filesystem::path folder;
    std::string what;
};

std::vector<CachePart> parts() {
    return {{build::default_cache_folder(), "objects"},
            {build::remembered_configures(), "CMake's checks of compilers"},
            {precompile::default_folder(), "precompiled headers"}};
}

/// What the caches hold, a line each.
Result<std::string> sizes() {
    std::uintmax_t total = 0;
    std::string text;
    for (const auto& part : parts()) {
        KB_TRY_ASSIGN(bytes, size_of(part.folder));
        total += bytes;
        text += fmt::format("{}: {}\n", part.what, support::human_size(bytes));
    }
    return text + support::human_size(total) + "\n";
}

Result<void> clean() {
    if (support::is_folder(build::default_cache_folder()))
        KB_TRY(run_ccache({"--clear"}));
    KB_TRY(support::remove_tree(build::remembered_configures()));
    return support::remove_tree(precompile::default_folder());
}

Result<int> run_cache(const Context& context, const CacheOptions& options) {
    if (options.action == "dir") {
        context.data(support::cache_home().string() + "\n");
        return 0;
    }
    if (options.action == "prune") {
        KB_TRY(run_ccache({"--max-size", options.max_size, "--cleanup"}));
        KB_TRY(precompile::prune(
            precompile::default_folder(), precompile::kMaximum, std::chrono::hours(1)));
    }
    if (options.action == "clean")
        KB_TRY(clean());
    KB_TRY_ASSIGN(text, sizes());
    context.data(text);
    return 0;
}

} // namespace

Command cache_command() {
    return {"cache",
            "the caches of builds: where they are, their size, pruning them",
            {},
            [](Options& app) {
                const auto options = std::make_shared<CacheOptions>();
                const auto action = [&](const std::string& name, const std::string& help) {
                    return app.subcommand(name, help, [options, name] { options->action = name; });
                };
                action("dir", "print their folder");
                action("size", "print their sizes, all together last");
                action("clean", "remove all objects and precompiled headers");
                auto prune = action("prune", "keep them below a size");
                prune.value(options->max_size,
                            {.names = "--max-size",
                             .help = "what objects may have at most, now and later; default: 5G",
                             .type = "SIZE"});
                app.require_subcommand();
                return [options](Context& context) { return run_cache(context, *options); };
            }};
}

} // namespace kbuild::cli
