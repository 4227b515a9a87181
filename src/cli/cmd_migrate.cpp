#include "commands.hpp"
#include "project.hpp"

#include "kbuild/config/migrate.hpp"
#include "kbuild/git/diff.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace kbuild::cli {
namespace {

using support::Result;

struct MigrateOptions {
    std::string dir;
    std::string license;
    bool diff = false;
    bool check = false;
};

/// Far above what a build.toml may have; a larger one is a diagnostic.
constexpr std::uintmax_t kReadLimit = 64ULL << 20U;

Result<config::Migration> migrated(const Context& context,
                                   const std::string& name,
                                   const std::string& text,
                                   const MigrateOptions& options) {
    config::MigrationChoices choices;
    if (!options.license.empty())
        choices.license = options.license;
    diag::Collector findings;
    KB_TRY_ASSIGN(migration, config::migrate_build_file(name, text, choices, findings));
    context.show(findings);
    if (!migration)
        return support::fail(
            support::ErrorKind::config,
            fmt::format("`{}` is left as it is: {}",
                        name,
                        support::plural(findings.count(diag::Severity::error), "error")));
    return std::move(*migration);
}

Result<int> migrate(const Context& context, const MigrateOptions& options) {
    KB_TRY_ASSIGN(root, project_root(context, options.dir));
    // Of a link the file that it leads to is rewritten.
    std::error_code code;
    const auto path = std::filesystem::canonical(root / "build.toml", code);
    const auto name = support::display_path(root / "build.toml");
    if (code)
        return support::fail(support::ErrorKind::config,
                             fmt::format("cannot find `{}`: {}", name, code.message()));
    KB_TRY_ASSIGN(text, support::read_file(path, kReadLimit));
    KB_TRY_ASSIGN(migration, migrated(context, name, text, options));
    if (migration.text == text) {
        context.say(fmt::format("`{}` is of edition {}: nothing to do", name, migration.from));
        return 0;
    }
    for (const auto& change : migration.changes)
        context.say(change);
    if (options.diff) {
        KB_TRY_ASSIGN(diff, git::unified_diff("build.toml", text, migration.text));
        context.data(diff);
    }
    if (options.check) {
        context.say(
            fmt::format("`{}` is of edition {} and would be rewritten", name, migration.from));
        return 1;
    }
    if (options.diff)
        return 0;
    KB_TRY(support::write_file_atomically(path, migration.text));
    context.say(
        fmt::format("`{}` was of edition {} and is now of edition 5", name, migration.from));
    return 0;
}

} // namespace

Command migrate_command() {
    return {"migrate",
            "bring build.toml to the current edition; comments, order and formatting stay",
            {"update-build"},
            [](Options& app) {
                const auto options = std::make_shared<MigrateOptions>();
                app.value(options->dir, {.names = "DIR", .help = kProjectHelp});
                app.value(options->license,
                          {.names = "--license",
                           .help = "what `general.license` becomes if the file has none",
                           .type = "LICENSE"});
                app.flag(options->diff,
                         {.names = "--diff",
                          .help = "print what would change, as a unified diff; write nothing"});
                app.flag(options->check,
                         {.names = "--check",
                          .help = "write nothing; exit code 1 if something would change"});
                return [options](Context& context) { return migrate(context, *options); };
            }};
}

} // namespace kbuild::cli
