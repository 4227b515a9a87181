#include "project.hpp"

#include "kbuild/check/allowances.hpp"
#include "kbuild/check/check.hpp"
#include "kbuild/config/load.hpp"
#include "kbuild/config/sdk_sources.hpp"
#include "kbuild/generate/writable.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <utility>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::Result;

} // namespace

Result<model::SdkSources> user_sources(const Context& context) {
    diag::Collector found;
    KB_TRY_ASSIGN(sources, config::load_user_sources(support::config_home(), found));
    context.show(found);
    if (!sources)
        return support::fail(
            support::ErrorKind::config,
            fmt::format("`{}` has mistakes", (support::config_home() / "config.toml").string()));
    return *sources;
}

Result<config::Settings> settings_here(const Context& context) {
    KB_TRY_ASSIGN(user, user_sources(context));
    config::Settings settings;
    std::error_code code;
    if (const auto root = config::find_project(fs::current_path(code))) {
        diag::Collector unused; // load_project() tells mistakes
        KB_TRY_ASSIGN(read, config::load_settings(*root, unused));
        settings = std::move(read).value_or(config::Settings());
    }
    settings.sources = config::joined(std::move(user), settings.sources);
    return settings;
}

Result<fs::path> project_root(const Context& context, const std::string& dir) {
    std::error_code code;
    const auto start = fs::absolute(dir.empty() ? "." : dir, code).lexically_normal();
    if (!support::is_folder(start))
        return support::fail(support::ErrorKind::usage,
                             fmt::format("there is no folder `{}`", dir));
    KB_TRY_ASSIGN(root, config::find_project(start));
    if (dir.empty() && !fs::equivalent(root, start, code))
        context.say(fmt::format("project: {}", root.string()));
    return fs::canonical(root, code);
}

Result<Project> load_project(const Context& context, const std::string& dir) {
    KB_TRY_ASSIGN(root, project_root(context, dir));
    diag::Collector found;
    KB_TRY_ASSIGN(reading, config::read_project(root, found));
    const auto settings = reading.settings.value_or(config::Settings());
    if (reading.config) {
        check::check_flags({root, *reading.config, settings}, found);
        generate::check_writable(*reading.config, found);
    }
    const auto findings =
        check::without_accepted(std::move(found).sorted(), settings.allow, root, false);
    context.show(findings);
    if (!findings.has_errors() && reading.settings) {
        KB_TRY_ASSIGN(user, user_sources(context));
        reading.settings->sources = config::joined(std::move(user), reading.settings->sources);
    }
    if (findings.has_errors() || !reading.config || !reading.settings)
        return support::fail(
            support::ErrorKind::config,
            fmt::format("the project has {}",
                        support::plural(findings.count(diag::Severity::error), "error")));
    return Project{root, std::move(*reading.config), std::move(*reading.settings)};
}

} // namespace kbuild::cli
