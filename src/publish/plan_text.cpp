#include "kbuild/publish/plan.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kbuild::publish {
namespace {

using nlohmann::ordered_json;

constexpr std::array kActions = {Action::add, Action::replace, Action::unchanged, Action::remove};

std::string repository_line(const UploadPlan& plan) {
    const char* const state = !plan.remote_known       ? "not asked"
                              : plan.create_repository ? "new"
                                                       : "exists";
    return fmt::format("repository  {} ({}, {}{})\n",
                       plan.repository.id(),
                       hub::to_string(plan.repository.type),
                       state,
                       plan.create_repository && plan.is_private ? ", private" : "");
}

std::string branch_text(const UploadPlan& plan, const BranchPlan& branch) {
    std::string text = fmt::format("branch      {}{}{}\n",
                                   branch.branch,
                                   branch.create ? " (new, from main)" : "",
                                   plan.pull_request ? " (as a pull request)" : "");
    for (const auto& change : branch.changes)
        text += fmt::format("  {:<9} {:>9}  {}\n",
                            to_string(change.action),
                            support::human_size(change.size),
                            change.path);
    return text;
}

std::string totals(const UploadPlan& plan) {
    std::vector<std::string> parts;
    for (const auto action : kActions) {
        std::size_t count = 0;
        std::uint64_t bytes = 0;
        for (const auto& branch : plan.branches) {
            count += branch.count(action);
            bytes += branch.bytes(action);
        }
        parts.push_back(
            count == 0
                ? fmt::format("{} 0", to_string(action))
                : fmt::format("{} {} ({})", to_string(action), count, support::human_size(bytes)));
    }
    return support::join(parts, ", ") + "\n";
}

ordered_json to_value(const BranchPlan& branch) {
    auto changes = ordered_json::array();
    for (const auto& change : branch.changes) {
        ordered_json entry = {
            {"action", to_string(change.action)}, {"path", change.path}, {"size", change.size}};
        if (change.local != nullptr)
            entry["sha256"] = change.local->sha256;
        changes.push_back(std::move(entry));
    }
    return {{"branch", branch.branch},
            {"create", branch.create},
            {"parent", branch.parent.empty() ? ordered_json() : ordered_json(branch.parent)},
            {"changes", std::move(changes)}};
}

} // namespace

std::string to_text(const UploadPlan& plan) {
    std::string text = repository_line(plan);
    for (const auto& branch : plan.branches)
        text += branch_text(plan, branch);
    return text + totals(plan);
}

std::string to_json(const UploadPlan& plan) {
    auto branches = ordered_json::array();
    for (const auto& branch : plan.branches)
        branches.push_back(to_value(branch));
    const ordered_json document = {{"schema", 1},
                                   {"repo_id", plan.repository.id()},
                                   {"repo_type", hub::to_string(plan.repository.type)},
                                   {"remote_known", plan.remote_known},
                                   {"create_repository", plan.create_repository},
                                   {"private", plan.is_private},
                                   {"pull_request", plan.pull_request},
                                   {"branches", std::move(branches)}};
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace kbuild::publish
