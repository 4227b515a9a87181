#include "commands.hpp"
#include "project.hpp"
#include "sdk_options.hpp"

#include "kbuild/build/conversion.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace kbuild::cli {
namespace {

using support::ErrorKind;
using support::Result;

struct HipifyOptions {
    std::string dir;
    std::vector<std::string> torch;
    bool diff = false;
    std::string format = "text";
};

/// The torches at hand that were asked for; all without `--torch`.
Result<std::vector<const model::TorchSdk*>> wanted_torches(const toolchain::FoundSdks& found,
                                                           const HipifyOptions& options) {
    SelectionOptions selection;
    selection.torch = options.torch;
    KB_TRY_ASSIGN(filters, selection.filters());
    std::vector<const model::TorchSdk*> torches;
    for (const auto& sdk : found.torch)
        if (filters.torch.empty() ||
            std::find(filters.torch.begin(), filters.torch.end(), sdk.short_version()) !=
                filters.torch.end())
            torches.push_back(&sdk);
    if (torches.empty())
        return support::fail(ErrorKind::toolchain,
                             "there is no torch whose hipify could convert",
                             fmt::format("kbuild toolchain add torch@{}",
                                         options.torch.empty() ? "2.14" : options.torch.front()));
    return torches;
}

/// Conversions with the same outcome, told once.
struct Outcome {
    const build::Conversion* conversion;
    std::vector<std::string> torches;
};

std::vector<Outcome> distinct(const build::Conversions& all) {
    std::vector<Outcome> outcomes;
    for (const auto& entry : all) {
        const auto same = std::find_if(outcomes.begin(), outcomes.end(), [&](const Outcome& other) {
            return other.conversion->section == entry.section &&
                   other.conversion->tree.digest == entry.tree.digest;
        });
        if (same != outcomes.end())
            same->torches.push_back(entry.torch);
        else
            outcomes.push_back({&entry, {entry.torch}});
    }
    return outcomes;
}

std::string to_json(const build::Conversions& all) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& entry : all)
        for (const auto& file : entry.tree.files)
            list.push_back({{"section", entry.section},
                            {"torch", entry.torch},
                            {"input", file.input},
                            {"output", file.output},
                            {"path", (entry.tree.root / file.output).string()},
                            {"changed", file.changed()},
                            {"diff", file.diff}});
    return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string to_table(const std::vector<Outcome>& outcomes) {
    std::vector<std::vector<std::string>> rows{{"FILE", "BECOMES", "TORCH"}};
    for (const auto& outcome : outcomes)
        for (const auto& file : outcome.conversion->tree.files)
            rows.push_back({file.input,
                            file.changed()
                                ? support::display_path(outcome.conversion->tree.root / file.output)
                                : "unchanged",
                            support::join(outcome.torches, ", ")});
    return ui::table(rows);
}

Result<int> run_hipify(const Context& context, const HipifyOptions& options) {
    KB_TRY_ASSIGN(project, load_project(context, options.dir));
    KB_TRY_ASSIGN(find_options, SelectionOptions().find_options());
    KB_TRY_ASSIGN(found, toolchain::find_sdks(find_options));
    KB_TRY_ASSIGN(torches, wanted_torches(found, options));
    diag::Collector findings;
    KB_TRY_ASSIGN(conversions,
                  build::convert_cuda_sources(project.config,
                                              torches,
                                              project.settings.hipify_keep,
                                              project.root,
                                              build::work_folder(project.root),
                                              findings));
    context.show(findings);
    if (findings.has_errors())
        return support::exit_code(ErrorKind::config);
    if (options.format == "json") {
        context.data(to_json(conversions));
        return 0;
    }
    const auto outcomes = distinct(conversions);
    if (outcomes.empty())
        context.say("nothing to convert: no rocm kernel lists a `.cu` file");
    else if (!options.diff)
        context.data(to_table(outcomes));
    for (const auto& outcome : outcomes) {
        if (!options.diff)
            break;
        context.say(fmt::format("[kernel.{}] with the hipify of {}",
                                outcome.conversion->section,
                                support::join(outcome.torches, ", ")));
        for (const auto& file : outcome.conversion->tree.files)
            context.data(file.diff);
    }
    return 0;
}

} // namespace

Command hipify_command() {
    return {"hipify", "what the conversion to HIP makes of CUDA sources", {}, [](Options& app) {
                const auto options = std::make_shared<HipifyOptions>();
                app.value(options->dir, {.names = "DIR", .help = kProjectHelp});
                app.values(options->torch,
                           {.names = "--torch",
                            .help = "by the hipify of these torch versions; default: all at hand",
                            .type = "VERSION"});
                app.flag(options->diff, {.names = "--diff", .help = "show the changed lines"});
                declare_format(app, options->format, {"text", "json"});
                return [options](Context& context) { return run_hipify(context, *options); };
            }};
}

} // namespace kbuild::cli
