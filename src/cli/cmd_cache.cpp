#include "commands.hpp"

#include "kbuild/build/compiler_cache.hpp"
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

Result<std::uintmax_t> size_of_cache() {
    const auto folder = build::default_cache_folder();
    if (!support::is_folder(folder))
        return std::uintmax_t{0};
    KB_TRY_ASSIGN(files, support::list_files(folder));
    std::uintmax_t bytes = 0;
    for (const auto& file : files)
        bytes += support::size_of_file(folder / file);
    return bytes;
}

Result<int> run_cache(const Context& context, const CacheOptions& options) {
    if (options.action == "dir") {
        context.data(build::default_cache_folder().string() + "\n");
        return 0;
    }
    if (options.action == "prune")
        KB_TRY(run_ccache({"--max-size", options.max_size, "--cleanup"}));
    if (options.action == "clean")
        KB_TRY(run_ccache({"--clear"}));
    KB_TRY_ASSIGN(bytes, size_of_cache());
    context.data(support::human_size(bytes) + "\n");
    return 0;
}

} // namespace

Command cache_command() {
    return {"cache", "the compiler cache: where it is, its size, pruning it", {}, [](Options& app) {
                const auto options = std::make_shared<CacheOptions>();
                const auto action = [&](const std::string& name, const std::string& help) {
                    return app.subcommand(name, help, [options, name] { options->action = name; });
                };
                action("dir", "print its folder");
                action("size", "print its size");
                action("clean", "remove all objects");
                auto prune = action("prune", "keep it below a size from now on");
                prune.value(options->max_size,
                            {.names = "--max-size",
                             .help = "what it may have at most; default: 5G",
                             .type = "SIZE"});
                app.require_subcommand();
                return [options](Context& context) { return run_cache(context, *options); };
            }};
}

} // namespace kbuild::cli
