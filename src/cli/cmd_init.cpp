#include "commands.hpp"

#include "kbuild/generate/scaffold.hpp"
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

Result<int> init(const Context& context, const InitOptions& options) {
    KB_TRY_ASSIGN(place, place_of(options));
    KB_TRY_ASSIGN(
        files,
        generate::scaffold({options.template_name, place.owner, place.repo, options.license}));
    if (!options.overwrite)
        KB_TRY(refuse_existing(files, place.folder));
    for (const auto& [path, text] : files) {
        context.data(fmt::format("{}\n", (place.folder / path).string()));
        if (!options.dry_run)
            KB_TRY(support::write_file_atomically(place.folder / path, text));
    }
    if (options.dry_run)
        return 0;
    context.say(fmt::format("next: cd {} && kbuild build --fetch", place.folder.string()));
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
                app.flag(options->overwrite,
                         {.names = "--overwrite", .help = "replace files that exist"});
                app.flag(options->dry_run,
                         {.names = "-n,--dry-run", .help = "only list the files"});
                return [options](Context& context) { return init(context, *options); };
            }};
}

} // namespace kbuild::cli
