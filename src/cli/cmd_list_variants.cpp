#include "commands.hpp"
#include "project.hpp"
#include "published_state.hpp"
#include "sdk_options.hpp"
#include "variant_list.hpp"

#include "kbuild/build/missing_headers.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/find.hpp"

#include <fmt/format.h>

#include <memory>

namespace kbuild::cli {
namespace {

using support::Result;

struct ListOptions {
    std::string dir;
    SelectionOptions selection;
    bool all = false;
    bool published = false;
    std::string format = "text";
};

/// What a person wants to know besides the names; on stderr, so that stdout can be piped.
void say_rest(const Context& context, const matrix::BuildSet& set, const ListOptions& options) {
    if (!options.all)
        for (const auto& line : support::split(exclusions_text(set), '\n'))
            if (!line.empty())
                context.say(line);
    for (const auto& selected : set.selected)
        if (!selected.remark.empty())
            context.say(fmt::format("note: {}: {}", selected.variant.name(), selected.remark));
    for (const auto& note : set.notes)
        context.say("note: " + note);
    if (!options.all && set.published_pairs > 0)
        context.say(
            fmt::format("{} of {} published pairs", set.published_selected, set.published_pairs));
}

std::string listing(const matrix::BuildSet& set, const ListOptions& options) {
    if (options.format == "json")
        return variants_json(set);
    if (options.format == "github")
        return variants_github(set, options.all);
    return variant_names(set, options.all);
}

/// Which of the published variants build/ has. Filters and kbuild.toml's matrix say what is built
/// here, not what is published.
Result<int> list_published(const Context& context,
                           const ListOptions& options,
                           const Project& project,
                           const toolchain::FoundSdks& sdks) {
    const auto set = matrix::select(project.config, {}, sdks.rocm, sdks.torch, {});
    KB_TRY_ASSIGN(states, published_states(project, set));
    context.data(options.format == "json" ? published_json(states) : published_text(states));
    return 0;
}

Result<int> list_variants(const Context& context, const ListOptions& options) {
    KB_TRY_ASSIGN(project, load_project(context, options.dir));
    KB_TRY_ASSIGN(find_options, options.selection.find_options(&context));
    KB_TRY_ASSIGN(filters, options.selection.filters());
    KB_TRY_ASSIGN(sdks, toolchain::find_sdks(find_options));
    if (options.published)
        return list_published(context, options, project, sdks);
    auto set = matrix::select(project.config, project.settings, sdks.rocm, sdks.torch, filters);
    build::rule_out_missing_headers(
        project.config, project.settings, project.root, options.selection.require_all, set);
    context.data(listing(set, options));
    const auto checked = matrix::check_selection(set);
    // With --all missing SDKs are no fault: the list is for somebody who will have them.
    const bool lists_something = options.all && !variant_names(set, true).empty();
    if (!checked && !lists_something)
        return tl::unexpected(checked.error());
    if (options.format == "text")
        say_rest(context, set, options);
    for (const auto& problem : sdks.problems)
        context.say("note: " + problem);
    return 0;
}

} // namespace

Command list_variants_command() {
    return {"list-variants",
            "names of the variants that `build` builds here; what is left out and why",
            {},
            [](Options& app) {
                const auto options = std::make_shared<ListOptions>();
                app.value(options->dir, {.names = "DIR", .help = kProjectHelp});
                options->selection.declare(app);
                app.flag(options->all,
                         {.names = "--all",
                          .help = "also the variants for which only an SDK is missing"});
                app.flag(options->published,
                         {.names = "--published",
                          .help = "the published variants: built, stale (of other sources) or "
                                  "missing in build/"});
                declare_format(app, options->format, {"text", "json", "github"});
                return [options](Context& context) { return list_variants(context, *options); };
            }};
}

} // namespace kbuild::cli
