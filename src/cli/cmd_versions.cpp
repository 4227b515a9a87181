#include "commands.hpp"
#include "hub_session.hpp"
#include "machine.hpp"
#include "project.hpp"

#include "kbuild/publish/download.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace kbuild::cli {
namespace {

using Json = nlohmann::ordered_json;
using publish::Decision;
using support::ErrorKind;
using support::Result;

struct VersionsOptions {
    std::string repository;
    std::string repo_type = "kernel";
    MachineOptions machine;
    std::string format = "text";
};

/// A version with what the machine makes of its variants.
struct Listed {
    publish::PublishedVersion version;
    std::vector<Decision> decisions;
};

Result<hub::Repository> repository_of(const Context& context, const VersionsOptions& options) {
    auto id = options.repository;
    if (id.empty()) {
        KB_TRY_ASSIGN(project, load_project(context, {}));
        id = project.config.general.hub.repo_id.value_or("");
    }
    if (id.empty())
        return support::fail(
            ErrorKind::usage,
            "it is not said which repository is meant",
            "give it as `owner/name`, or write `repo-id` under `[general.hub]` in build.toml");
    return hub::Repository::parse(repository_type(options.repo_type), id);
}

Result<std::vector<Listed>> list_versions(const hub::Connection& connection,
                                          const hub::Repository& repository,
                                          const publish::Machine& machine) {
    KB_TRY_ASSIGN(refs, hub::refs(connection, repository));
    if (!refs)
        return support::fail(
            ErrorKind::network,
            fmt::format("there is no {} `{}`", hub::to_string(repository.type), repository.id()));
    std::vector<Listed> listed;
    for (const auto& version : publish::published_versions(*refs)) {
        KB_TRY_ASSIGN(files, hub::tree(connection, repository, version.commit));
        std::vector<model::Variant> variants;
        for (const auto& [name, ignored] : publish::variants_of(files))
            variants.push_back(*model::Variant::parse(name));
        listed.push_back({version, publish::decide(std::move(variants), machine)});
    }
    return listed;
}

std::string to_text(const std::vector<Listed>& versions, const publish::Machine& machine) {
    std::vector<std::vector<std::string>> rows = {{"version", "commit", "variant", "loadable"}};
    for (const auto& [version, decisions] : versions) {
        const auto commit = version.commit.substr(0, 12);
        if (decisions.empty())
            rows.push_back({std::to_string(version.version), commit, "-", "there is none"});
        bool best = true;
        for (const auto& decision : decisions) {
            const auto verdict = decision.accepted ? (best ? "yes, this one is taken" : "yes")
                                                   : "no: " + decision.reason;
            rows.push_back(
                {std::to_string(version.version), commit, decision.variant.name(), verdict});
            best = false;
        }
    }
    return fmt::format("on {}\n", machine.to_string()) + ui::table(rows);
}

Json to_json(const std::vector<Listed>& versions, const publish::Machine& machine) {
    Json list = Json::array();
    for (const auto& [version, decisions] : versions) {
        Json variants = Json::array();
        for (const auto& decision : decisions)
            variants.push_back({{"name", decision.variant.name()},
                                {"accepted", decision.accepted},
                                {"reason", decision.reason}});
        list.push_back({{"version", version.version},
                        {"commit", version.commit},
                        {"variants", std::move(variants)}});
    }
    return {{"schema", 1}, {"machine", machine.to_string()}, {"versions", std::move(list)}};
}

Result<int> run_versions(const Context& context, const VersionsOptions& options) {
    KB_TRY_ASSIGN(repository, repository_of(context, options));
    KB_TRY_ASSIGN(session, HubSession::open(context));
    KB_TRY_ASSIGN(machine, options.machine.machine(context));
    KB_TRY_ASSIGN(versions, list_versions(session.connection(), repository, machine));
    context.data(options.format == "json" ? to_json(versions, machine).dump(2) + "\n"
                                          : to_text(versions, machine));
    return 0;
}

} // namespace

Command versions_command() {
    return {
        "versions", "what is published, and what of it can be loaded here", {}, [](Options& app) {
            const auto options = std::make_shared<VersionsOptions>();
            app.value(options->repository,
                      {.names = "REPO", .help = "owner/name; default: the project's"});
            app.value(options->repo_type,
                      {.names = "--repo-type",
                       .help = "what kind of repository",
                       .type = "TYPE",
                       .choices = {"kernel", "model"}});
            options->machine.declare(app);
            declare_format(app, options->format, {"text", "json"});
            return [options](Context& context) { return run_versions(context, *options); };
        }};
}

} // namespace kbuild::cli
