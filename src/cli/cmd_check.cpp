#include "commands.hpp"
#include "project.hpp"
#include "sdk_options.hpp"
#include "setting_list.hpp"

#include "kbuild/check/allowances.hpp"
#include "kbuild/check/check.hpp"
#include "kbuild/check/unrepeated.hpp"
#include "kbuild/config/json_schema.hpp"
#include "kbuild/config/load.hpp"
#include "kbuild/config/origins.hpp"
#include "kbuild/generate/writable.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

struct CheckOptions {
    std::string dir;
    std::string format = "text";
    bool strict = false;
    bool show = false;
    bool schema = false;
};

Result<diag::Collector> findings_of(const fs::path& root) {
    diag::Collector found;
    KB_TRY_ASSIGN(reading, config::read_project(root, found));
    const auto settings = reading.settings.value_or(config::Settings());
    if (reading.config) {
        const check::Subject subject{root, *reading.config, settings, !reading.has_errors};
        diag::Collector opinions;
        check::check_build_file(subject, opinions);
        check::check_sources(subject, opinions);
        generate::check_writable(*reading.config, opinions);
        check::add_unrepeated(std::move(opinions), found);
    }
    return check::without_accepted(
        std::move(found).sorted(), settings.allow, root, reading.config && reading.settings);
}

/// Errors are the user's files' (3); with `--strict` warnings are what was asked for and failed
/// (1).
Result<int> verdict(const diag::Collector& findings, bool strict) {
    const auto errors = findings.count(diag::Severity::error);
    const auto warnings = findings.count(diag::Severity::warning);
    if (errors > 0)
        return support::fail(ErrorKind::config,
                             fmt::format("the project has {}", support::plural(errors, "error")));
    if (strict && warnings > 0)
        return support::fail(
            ErrorKind::failed,
            fmt::format("the project has {}", support::plural(warnings, "warning")),
            "`[check] allow` of kbuild.toml accepts a warning, with the reason");
    return 0;
}

Result<int> show_settings(const Context& context, const CheckOptions& options) {
    KB_TRY_ASSIGN(root, project_root(context, options.dir));
    diag::Collector found;
    KB_TRY_ASSIGN(settings, config::effective_settings(root, found));
    context.show(found);
    context.data(options.format == "json" ? settings_json(settings) : settings_table(settings));
    return verdict(found, false);
}

Result<int> run_check(const Context& context, const CheckOptions& options) {
    if (options.schema) {
        context.data(config::build_json_schema());
        return 0;
    }
    if (options.show)
        return show_settings(context, options);
    KB_TRY_ASSIGN(root, project_root(context, options.dir));
    KB_TRY_ASSIGN(findings, findings_of(root));
    // Silent if all is well, as compilers are.
    if (options.format == "json")
        context.data(findings_json(findings));
    else
        context.show(findings);
    return verdict(findings, options.strict);
}

} // namespace

Command check_command() {
    return {"check",
            "find mistakes in build.toml, kbuild.toml and the files they list",
            {"check-config", "validate"},
            [](Options& app) {
                const auto options = std::make_shared<CheckOptions>();
                app.value(options->dir, {.names = "DIR", .help = kProjectHelp});
                app.flag(options->strict, {.names = "--strict", .help = "warnings fail too"});
                app.flag(options->show,
                         {.names = "--show",
                          .help = "print every setting with its value and where it comes from"});
                app.flag(options->schema,
                         {.names = "--schema",
                          .help = "print the JSON schema of build.toml, for editors"});
                declare_format(app, options->format, {"text", "json"});
                return [options](Context& context) { return run_check(context, *options); };
            }};
}

} // namespace kbuild::cli
