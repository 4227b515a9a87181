#include "commands.hpp"
#include "sdk_options.hpp"

#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/add.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/toolchain/host.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

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
        checks.push_back({Check::State::warning, "SDK", problem, "remove it, or add it again"});
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

Result<int> doctor(const Context& context, const std::string& format) {
    KB_TRY_ASSIGN(options, SelectionOptions().find_options());
    KB_TRY_ASSIGN(found, toolchain::find_sdks(options));
    auto checks = toolchain::check_host();
    for (auto& check : check_sdks(found))
        checks.push_back(std::move(check));
    context.data(format == "json" ? to_json(checks) : to_table(checks));
    const auto failures = count(checks, Check::State::failure);
    const auto warnings = count(checks, Check::State::warning);
    context.say(failures == 0 ? fmt::format("this machine can build ({})",
                                            support::plural(warnings, "warning"))
                              : fmt::format("{}, {}: run the commands under FIX",
                                            support::plural(failures, "failure"),
                                            support::plural(warnings, "warning")));
    return failures == 0 ? 0 : support::exit_code(support::ErrorKind::toolchain);
}

} // namespace

Command doctor_command() {
    return {"doctor",
            "is this machine able to build; every finding with its fix",
            {},
            [](Options& app) {
                const auto format = std::make_shared<std::string>("text");
                declare_format(app, *format, {"text", "json"});
                return [format](Context& context) { return doctor(context, *format); };
            }};
}

} // namespace kbuild::cli
