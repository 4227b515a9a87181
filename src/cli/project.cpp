#include "project.hpp"

#include "kbuild/config/load.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::Result;

} // namespace

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
    diag::Collector findings;
    KB_TRY_ASSIGN(loaded, config::load_project(root, findings));
    context.show(findings);
    if (!loaded)
        return support::fail(
            support::ErrorKind::config,
            fmt::format("the project has {}",
                        support::plural(findings.count(diag::Severity::error), "error")));
    return Project{root, std::move(loaded->config), std::move(loaded->settings)};
}

} // namespace kbuild::cli
