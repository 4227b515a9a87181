#include "commands.hpp"
#include "project_checks.hpp"
#include "sdk_options.hpp"

#include "kbuild/build/missing_headers.hpp"
#include "kbuild/config/load.hpp"
#include "kbuild/matrix/select.hpp"
#include "kbuild/process/command.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/add.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/toolchain/host.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

namespace kbuild::cli {
namespace {

using support::Result;
using toolchain::Check;

std::string_view name_of(Check::State state) {
    switch (state) {
    case Check::State::ok:
        return "ok";
    case Check::State::warning:
        return "warning";
    case Check::State::failure:
        break;
    }
    return "failure";
}

/// The newest SDK of a kind that can be fetched.
std::string command_for(std::string_view kind) {
    std::string newest;
    for (const auto& name : toolchain::known_sdks())
        if (name.starts_with(kind))
            newest = name;
    return "kbuild toolchain add " + newest;
}

/// What mends a problem is told after its last semicolon.
Check to_check(const std::string& problem) {
    const auto at = problem.rfind("; ");
    if (at == std::string::npos)
        return {Check::State::warning, "SDK", problem, "remove it, or add it again"};
    return {Check::State::warning, "SDK", problem.substr(0, at), problem.substr(at + 2)};
}

std::vector<Check> check_sdks(const toolchain::FoundSdks& found) {
    std::vector<Check> checks;
    for (const auto& sdk : found.rocm)
        checks.push_back({Check::State::ok,
                          "rocm@" + sdk.version.dotted(),
                          fmt::format("{} ({}) at {}",
                                      sdk.full_version,
                                      model::to_string(sdk.origin),
                                      sdk.root.string()),
                          {}});
    if (found.rocm.empty())
        checks.push_back({Check::State::failure, "ROCm SDK", "none found", command_for("rocm@")});
    for (const auto& sdk : found.torch)
        checks.push_back({Check::State::ok,
                          sdk.name,
                          fmt::format("{} at {}", sdk.full_version, sdk.root.string()),
                          {}});
    if (found.torch.empty())
        checks.push_back({Check::State::failure, "torch SDK", "none found", command_for("torch@")});
    for (const auto& problem : found.problems)
        checks.push_back(to_check(problem));
    return checks;
}

std::string to_json(const std::vector<Check>& checks) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& check : checks)
        list.push_back({{"state", name_of(check.state)},
                        {"name", check.name},
                        {"found", check.found},
                        {"fix", check.fix}});
    return list.dump(2) + "\n";
}

std::string to_table(const std::vector<Check>& checks) {
    std::vector<std::vector<std::string>> rows{{"STATE", "WHAT", "FOUND", "FIX"}};
    for (const auto& check : checks)
        rows.push_back({std::string(name_of(check.state)), check.name, check.found, check.fix});
    return ui::table(rows);
}

std::size_t count(const std::vector<Check>& checks, Check::State state) {
    return static_cast<std::size_t>(std::count_if(
        checks.begin(), checks.end(), [&](const Check& check) { return check.state == state; }));
}

struct DoctorOptions {
    std::string dir;
    std::string format = "text";
};

/// What the project of the folder wants of this machine; none if there is no project there (and
/// none was asked for).
Result<std::optional<std::vector<Check>>> check_project(const Context& context,
                                                        const DoctorOptions& options,
                                                        const toolchain::FoundSdks& found) {
    std::error_code code;
    const auto here = std::filesystem::current_path(code);
    if (options.dir.empty() && !config::find_project(here))
        return std::optional<std::vector<Check>>();
    auto project = load_project(context, options.dir);
    if (!project && project.error().kind != support::ErrorKind::config)
        return tl::unexpected(std::move(project.error()));
    if (!project)
        return std::optional(std::vector<Check>{
            {Check::State::failure, "project", project.error().message, "kbuild check"}});
    auto set = matrix::select(project->config, project->settings, found.rocm, found.torch, {});
    build::rule_out_missing_headers(project->config, project->settings, project->root, false, set);
    return std::optional(check_variants(set));
}

std::vector<Check> sdks_that_are_there(const toolchain::FoundSdks& found) {
    auto checks = check_sdks(found);
    std::erase_if(checks, [](const Check& check) { return check.state == Check::State::failure; });
    return checks;
}

std::string summary(const std::vector<Check>& checks, bool project) {
    const auto failures = count(checks, Check::State::failure);
    const auto warnings = support::plural(count(checks, Check::State::warning), "warning");
    if (failures > 0)
        return fmt::format(
            "{}, {}: run the commands under FIX", support::plural(failures, "failure"), warnings);
    return fmt::format(
        "this machine can build{} ({})", project ? " what the project asks for" : "", warnings);
}

Result<int> doctor(const Context& context, const DoctorOptions& options) {
    KB_TRY_ASSIGN(find_options, SelectionOptions().find_options());
    KB_TRY_ASSIGN(found, toolchain::find_sdks(find_options));
    KB_TRY_ASSIGN(project, check_project(context, options, found));
    auto checks = toolchain::check_host();
    checks.push_back(check_memory());
    checks.push_back(check_token());
    // Without a project a machine that lacks all of a kind cannot build anything.
    for (auto& check : project ? sdks_that_are_there(found) : check_sdks(found))
        checks.push_back(std::move(check));
    if (project)
        checks.insert(checks.end(), project->begin(), project->end());
    context.data(options.format == "json" ? to_json(checks) : to_table(checks));
    for (const auto& sdk : found.rocm)
        if (!sdk.origin_note.empty())
            context.say(fmt::format("note: rocm@{}: {}", sdk.version.dotted(), sdk.origin_note));
    if (const auto ignored = process::ignored_variables(); !ignored.empty())
        context.say(fmt::format("note: kept out of builds: {}", support::join(ignored, ", ")));
    context.say(summary(checks, project.has_value()));
    return count(checks, Check::State::failure) == 0
               ? 0
               : support::exit_code(support::ErrorKind::toolchain);
}

} // namespace

Command doctor_command() {
    return {"doctor",
            "is this machine able to build the project; every finding with its fix",
            {},
            [](Options& app) {
                const auto options = std::make_shared<DoctorOptions>();
                app.value(options->dir, {.names = "DIR", .help = kProjectHelp});
                declare_format(app, options->format, {"text", "json"});
                return [options](Context& context) { return doctor(context, *options); };
            }};
}

} // namespace kbuild::cli
