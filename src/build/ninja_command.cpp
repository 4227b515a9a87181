#include "ninja_command.hpp"

#include "ninja_output.hpp"

namespace kbuild::build {

process::Command ninja_command(const WorkFolder& folder, const toolchain::HostTools& tools) {
    process::Command command;
    command.program = tools.ninja;
    command.folder = folder.work;
    command.environment = process::clean_environment();
    command.inherited_lock = folder.lock;
    command.environment["NINJA_STATUS"] = kNinjaStatus;
    return command;
}

std::vector<std::string> targets_of(const Plan& plan) {
    std::vector<std::string> targets;
    for (const auto& variant : plan.variants)
        if (!variant.target.empty())
            targets.push_back(variant.target);
    return targets;
}

} // namespace kbuild::build
