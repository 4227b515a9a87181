#include "commands.hpp"
#include "fetch_variants.hpp"
#include "machine.hpp"

#include "kbuild/publish/download.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace kbuild::cli {
namespace {

using support::ErrorKind;
using support::Result;

struct DownloadOptions {
    std::string spec;
    std::string target;
    std::string repo_type = "kernel";
    std::vector<std::string> variants;
    bool all = false;
    MachineOptions machine;
    std::string format = "text";
};

std::string names_of(const Variants& variants) {
    std::vector<std::string> names;
    for (const auto& [name, ignored] : variants)
        names.push_back(name);
    return support::join(names, ", ");
}

/// The variant that a loader would take here.
Result<std::vector<std::string>>
loadable(const Context& context, const DownloadOptions& options, const Variants& published) {
    KB_TRY_ASSIGN(machine, options.machine.machine(context));
    std::vector<model::Variant> variants;
    for (const auto& [name, ignored] : published)
        variants.push_back(*model::Variant::parse(name));
    const auto decisions = publish::decide(std::move(variants), machine);
    if (!decisions.empty() && decisions.front().accepted)
        return std::vector{decisions.front().variant.name()};
    return support::fail(ErrorKind::nothing,
                         fmt::format("no variant can be loaded on {}", machine.to_string()),
                         fmt::format("choose with `--variant`, or take `--all`; published are {}",
                                     names_of(published)));
}

Result<Variants>
chosen(const Context& context, const DownloadOptions& options, Variants published) {
    if (options.all)
        return published;
    auto wanted = options.variants;
    if (wanted.empty()) {
        KB_TRY_ASSIGN(names, loadable(context, options, published));
        wanted = std::move(names);
    }
    Variants some;
    for (const auto& name : wanted) {
        const auto found = published.find(name);
        if (found == published.end())
            return support::fail(ErrorKind::nothing,
                                 fmt::format("there is no variant `{}`", name),
                                 fmt::format("published are {}", names_of(published)));
        some.insert(*found);
    }
    return some;
}

std::string to_json(const std::string& commit,
                    const Variants& variants,
                    const publish::DownloadSummary& summary) {
    std::vector<std::string> names;
    for (const auto& [name, ignored] : variants)
        names.push_back(name);
    const nlohmann::ordered_json document = {{"schema", 1},
                                             {"commit", commit},
                                             {"variants", names},
                                             {"fetched", summary.files},
                                             {"present", summary.present},
                                             {"bytes", summary.bytes}};
    return document.dump(2) + "\n";
}

Result<int> run_download(const Context& context, const DownloadOptions& options) {
    KB_TRY_ASSIGN(kernel, find_published(context, options.repo_type, options.spec));
    KB_TRY_ASSIGN(variants, chosen(context, options, kernel.variants));
    KB_TRY_ASSIGN(summary, fetch_variants(context, kernel, variants, options.target));
    const auto& [repository, commit] = kernel.state;
    context.say(
        fmt::format("{} at {}: {} fetched ({}), {} were there; try it with LOCAL_KERNELS=\"{}={}\"",
                    repository.id(),
                    commit.substr(0, 12),
                    support::plural(summary.files, "file"),
                    support::human_size(summary.bytes),
                    summary.present,
                    repository.id(),
                    options.target));
    context.data(options.format == "json" ? to_json(commit, variants, summary)
                                          : names_of(variants) + "\n");
    return 0;
}

} // namespace

Command download_command() {
    return {"download", "fetch published variants into a folder", {}, [](Options& app) {
                const auto options = std::make_shared<DownloadOptions>();
                app.value(options->spec,
                          {.names = "REPO",
                           .help = "owner/name, owner/name@VERSION or owner/name@REVISION",
                           .required = true});
                app.value(options->target,
                          {.names = "DIR", .help = "gets build/<variant>/…", .required = true});
                app.value(options->repo_type,
                          {.names = "--repo-type",
                           .help = "what kind of repository",
                           .type = "TYPE",
                           .choices = {"kernel", "model"}});
                app.values(options->variants,
                           {.names = "--variant",
                            .help = "these, not the one that fits here",
                            .type = "NAME"});
                app.flag(options->all, {.names = "--all", .help = "all variants"});
                options->machine.declare(app);
                declare_format(app, options->format, {"text", "json"});
                return [options](Context& context) { return run_download(context, *options); };
            }};
}

} // namespace kbuild::cli
