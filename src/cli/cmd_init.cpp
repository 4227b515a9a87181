#include "commands.hpp"

#include "kbuild/generate/scaffold.hpp"
#include "kbuild/git/repository.hpp"
#include "kbuild/model/backend.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <memory>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

struct InitOptions {
    std::string target;
    std::string name;
    std::string template_name = "elementwise";
    std::string license = "Apache-2.0";
    std::vector<std::string> backends;
    bool overwrite = false;
    bool dry_run = false;
};

/// Where the project goes and what it is called.
struct Place {
    fs::path folder;
    std::optional<std::string> owner;
    std::string repo;
};

Result<std::pair<std::string, std::string>> split_repo_id(const std::string& text) {
    const auto parts = support::split(text, '/');
    if (parts.size() != 2 || parts[0].empty() || parts[1].empty())
        return support::fail(ErrorKind::usage,
                             fmt::format("`{}` is not of the form owner/repo", text));
    return std::pair(parts[0], parts[1]);
}

/// `owner/repo` goes to ./repo; anything else is a path, whose last part is the name unless --name
/// says another.
Result<Place> place_of(const InitOptions& options) {
    const bool is_path = options.target.starts_with(".") || options.target.starts_with("/") ||
                         !support::contains(options.target, "/");
    if (!options.name.empty()) {
        KB_TRY_ASSIGN(id, split_repo_id(options.name));
        return Place{options.target, id.first, id.second};
    }
    if (is_path)
        return Place{options.target,
                     std::nullopt,
                     fs::absolute(options.target).lexically_normal().filename().string()};
    KB_TRY_ASSIGN(id, split_repo_id(options.target));
    return Place{support::replace_all(id.second, "_", "-"), id.first, id.second};
}

Result<void> refuse_existing(const model::FileSet& files, const fs::path& folder) {
    std::vector<std::string> existing;
    for (const auto& [path, text] : files)
        if (support::path_exists(folder / path))
            existing.push_back((folder / path).string());
    if (existing.empty())
        return {};
    return support::fail(
        ErrorKind::usage,
        fmt::format("these files exist already:\n  {}", support::join(existing, "\n  ")),
        "pass `--overwrite` to replace them, or choose another folder");
}

Result<std::vector<model::Backend>> parse_backends(const std::vector<std::string>& names) {
    std::vector<model::Backend> backends;
    for (const auto& name : names) {
        const auto backend = model::parse_backend(name);
        if (!backend)
            return support::fail(ErrorKind::usage,
                                 fmt::format("there is no backend `{}`", name),
                                 "kbuild builds `cpu` and `rocm`");
        backends.push_back(*backend);
    }
    return backends;
}

/// Upstream's Nix path and the ids of builds need git; a project within another repository is that
/// one's business.
Result<void>
start_repository(const Context& context, const model::FileSet& files, const fs::path& folder) {
    std::vector<fs::path> paths;
    for (const auto& [path, text] : files)
        paths.emplace_back(path);
    KB_TRY_ASSIGN(started, git::start_repository(folder, paths));
    context.say(started ? "made a git repository and staged these files; nothing is committed"
                        : "in a git repository already, so none was made and nothing is staged");
    return {};
}

void say_next_steps(const Context& context, const Place& place) {
    context.say(fmt::format("next: cd {}", support::display_path(place.folder)));
    context.say("      kbuild check");
    context.say("      kbuild build --fetch        # every variant, into build/");
    if (place.owner)
        context.say(fmt::format("      LOCAL_KERNELS={}/{}=$PWD/build python3 -m pytest tests",
                                *place.owner,
                                support::replace_all(place.repo, "_", "-")));
    else
        context.say("      put your name into tests and CARD.md, in place of `your-name`");
}

Result<int> init(const Context& context, const InitOptions& options) {
    KB_TRY_ASSIGN(place, place_of(options));
    KB_TRY_ASSIGN(backends, parse_backends(options.backends));
    KB_TRY_ASSIGN(files,
                  generate::scaffold(
                      {options.template_name, place.owner, place.repo, options.license, backends}));
    if (!options.overwrite)
        KB_TRY(refuse_existing(files, place.folder));
    for (const auto& [path, text] : files) {
        context.data(fmt::format("{}\n", (place.folder / path).string()));
        if (!options.dry_run)
            KB_TRY(support::write_file_atomically(place.folder / path, text));
    }
    if (options.dry_run)
        return 0;
    KB_TRY(start_repository(context, files, place.folder));
    say_next_steps(context, place);
    return 0;
}

} // namespace

Command init_command() {
    return {"init", "start a project that builds", {}, [](Options& app) {
                const auto options = std::make_shared<InitOptions>();
                app.value(options->target,
                          {.names = "TARGET",
                           .help = "owner/repo (goes to ./repo) or a path",
                           .required = true});
                app.value(options->name,
                          {.names = "--name", .help = "if TARGET is a path", .type = "OWNER/REPO"});
                app.value(options->template_name,
                          {.names = "--template",
                           .help = "what to start from",
                           .type = "NAME",
                           .choices = generate::template_names()});
                app.value(options->license,
                          {.names = "--license", .help = "licence identifier", .type = "LICENSE"});
                app.values(options->backends,
                           {.names = "--backend",
                            .help = "only these; default: all that the template has",
                            .type = "BACKEND"});
                app.flag(options->overwrite,
                         {.names = "--overwrite", .help = "replace files that exist"});
                app.flag(options->dry_run,
                         {.names = "-n,--dry-run", .help = "only list the files"});
                return [options](Context& context) { return init(context, *options); };
            }};
}

} // namespace kbuild::cli
