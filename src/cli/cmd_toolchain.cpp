#include "commands.hpp"
#include "project.hpp"
#include "sdk_options.hpp"
#include "toolchain_lock.hpp"

#include "kbuild/portable/baseline.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/add.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/toolchain/local_torch.hpp"
#include "kbuild/toolchain/probe.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>

namespace kbuild::cli {
namespace {

using nlohmann::ordered_json;
using support::ErrorKind;
using support::Result;

struct ToolchainOptions {
    std::vector<std::string> names;
    std::string format = "text";
    std::string dir;                ///< of `lock`
    std::string save;               ///< of `add`
    std::string from;               ///< of `add`
    std::vector<std::string> extra; ///< of `add`
    bool force = false;             ///< of `remove`
    bool cmake = false;             ///< of `path`, as the two that follow
    bool bin = false;
    bool root = false;
};

Result<toolchain::FoundSdks> find_all() {
    KB_TRY_ASSIGN(options, SelectionOptions().find_options());
    return toolchain::find_sdks(options);
}

/// Known SDKs that are not among the found ones.
std::vector<std::string> not_fetched(const toolchain::FoundSdks& found,
                                     const model::SdkSources& sources) {
    std::vector<std::string> names;
    for (const auto& name : toolchain::known_sdks(sources)) {
        bool there = false;
        for (const auto& sdk : found.rocm)
            there = there || name == "rocm@" + sdk.version.dotted();
        for (const auto& sdk : found.torch)
            there = there || name == sdk.name;
        if (!there)
            names.push_back(name);
    }
    return names;
}

/// What builds are linked with for older systems; made here by the first one that needs it.
std::vector<std::string> baselines_here() {
    return portable::baselines_in(toolchain::Store::at_default_place().root());
}

ordered_json to_json(const toolchain::FoundSdks& found, const model::SdkSources& sources) {
    ordered_json rocm = ordered_json::array();
    for (const auto& sdk : found.rocm)
        rocm.push_back({{"name", sdk.name},
                        {"version", sdk.full_version},
                        {"provider", sdk.provider},
                        {"origin", model::to_string(sdk.origin)},
                        {"origin_note", sdk.origin_note},
                        {"root", sdk.root.string()},
                        {"fingerprint", sdk.fingerprint}});
    ordered_json torch = ordered_json::array();
    for (const auto& sdk : found.torch)
        torch.push_back({{"name", sdk.name},
                         {"version", sdk.full_version},
                         {"provider", sdk.provider},
                         {"origin", model::to_string(sdk.origin)},
                         {"build", model::to_string(sdk.build)},
                         {"rocm", sdk.rocm ? sdk.rocm->dotted() : ""},
                         {"from", sdk.place.string()},
                         {"root", sdk.root.string()},
                         {"fingerprint", sdk.fingerprint}});
    return {{"rocm", std::move(rocm)},
            {"torch", std::move(torch)},
            {"baselines", baselines_here()},
            {"not_fetched", not_fetched(found, sources)},
            {"shadowed", found.shadowed},
            {"problems", found.problems}};
}

std::string to_table(const toolchain::FoundSdks& found) {
    std::vector<std::vector<std::string>> rows{{"SDK", "VERSION", "PROVIDER", "ORIGIN", "PLACE"}};
    for (const auto& sdk : found.rocm)
        rows.push_back({"rocm@" + sdk.version.dotted(),
                        sdk.full_version,
                        sdk.provider,
                        std::string(model::to_string(sdk.origin)),
                        sdk.root.string()});
    for (const auto& sdk : found.torch)
        rows.push_back({sdk.name,
                        sdk.full_version,
                        sdk.provider,
                        std::string(model::to_string(sdk.origin)),
                        sdk.root.string()});
    return rows.size() > 1 ? ui::table(rows) : std::string();
}

Result<int> list(const Context& context, const ToolchainOptions& options) {
    KB_TRY_ASSIGN(found, find_all());
    KB_TRY_ASSIGN(settings, settings_here(context));
    const auto& sources = settings.sources;
    if (options.format == "json") {
        context.data(to_json(found, sources).dump(2) + "\n");
        return 0;
    }
    context.data(to_table(found));
    for (const auto& sdk : found.rocm)
        if (!sdk.origin_note.empty())
            context.say(fmt::format("note: rocm@{}: {}", sdk.version.dotted(), sdk.origin_note));
    for (const auto& sdk : found.torch)
        if (!sdk.no_rocm.empty())
            context.say(fmt::format("note: {}: for cpu variants alone: {}", sdk.name, sdk.no_rocm));
    for (const auto& line : found.shadowed)
        context.say("note: " + line);
    for (const auto& line : found.problems)
        context.say("warning: " + line);
    if (const auto baselines = baselines_here(); !baselines.empty())
        context.say(fmt::format("made by builds, what they are linked with for older systems: {}",
                                support::join(baselines, ", ")));
    if (const auto others = not_fetched(found, sources); !others.empty())
        context.say(
            fmt::format("to be had with `kbuild toolchain add`: {}", support::join(others, ", ")));
    return 0;
}

Result<std::vector<toolchain::SdkRequest>> parse_names(const std::vector<std::string>& names) {
    std::vector<toolchain::SdkRequest> requests;
    for (const auto& name : names) {
        KB_TRY_ASSIGN(request, toolchain::SdkRequest::parse(name));
        requests.push_back(request);
    }
    return requests;
}

std::optional<std::filesystem::path> absolute_path(const std::string& text) {
    std::error_code code;
    return text.empty() ? std::nullopt : std::optional(std::filesystem::absolute(text, code));
}

Result<toolchain::AddOptions> add_options(const Context& context,
                                          const ToolchainOptions& options,
                                          const toolchain::SdkRequest& request) {
    toolchain::AddOptions result;
    result.from = absolute_path(options.from);
    result.save = absolute_path(options.save);
    result.offline = context.globals().offline;
    KB_TRY_ASSIGN(settings, settings_here(context));
    result.sources = std::move(settings.sources);
    result.extra = std::move(settings.extra_libraries);
    result.extra.insert(result.extra.end(), options.extra.begin(), options.extra.end());
    if (context.globals().locked) {
        KB_TRY_ASSIGN(root, project_root(context, {}));
        KB_TRY(hold_to_lock(context, root, request.name(), result));
    }
    return result;
}

/// What `add` takes as the path of a torch, and not as a name.
bool is_place(const std::string& name) {
    return support::contains(name, "/") || name.ends_with(".whl");
}

Result<toolchain::AddResult> add_one(const Context& context,
                                     const ToolchainOptions& options,
                                     const std::string& name,
                                     const toolchain::OnProgress& say) {
    const auto store = toolchain::Store::at_default_place();
    if (is_place(name))
        return toolchain::add_local_torch(store, name, say);
    KB_TRY_ASSIGN(request, toolchain::SdkRequest::parse(name));
    KB_TRY_ASSIGN(how, add_options(context, options, request));
    return toolchain::add_sdk(store, request, say, how);
}

/// What came of one name, and how long it took.
struct Added {
    Result<toolchain::AddResult> result;
    double seconds = 0;
};

Added add_timed(const Context& context,
                const ToolchainOptions& options,
                const std::string& name,
                const toolchain::OnProgress& say) {
    const auto begin = std::chrono::steady_clock::now();
    auto result = add_one(context, options, name, say);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return {std::move(result), took.count()};
}

/// Two at a time: while one is unpacked the other one comes over the network.
std::vector<Added> add_side_by_side(const Context& context,
                                    const ToolchainOptions& options,
                                    const std::vector<std::string>& names) {
    constexpr std::size_t kAtATime = 2;
    std::mutex speaking;
    std::atomic<std::size_t> next{0};
    std::vector<std::optional<Added>> done(names.size());
    const auto work = [&] {
        for (std::size_t i = next++; i < names.size(); i = next++)
            done[i] = add_timed(context, options, names[i], [&, i](const std::string& line) {
                const std::lock_guard lock(speaking);
                context.say(fmt::format("{}: {}", names[i], line));
            });
    };
    std::vector<std::future<void>> workers;
    for (std::size_t i = 0; i < std::min(kAtATime, names.size()); ++i)
        workers.push_back(std::async(std::launch::async, work));
    for (auto& worker : workers)
        worker.get();
    std::vector<Added> results;
    for (auto& one : done)
        results.push_back(std::move(*one));
    return results;
}

/// Each name once, in the order in which they were given. A misspelt one is no reason to fetch the
/// others.
Result<std::vector<std::string>> names_to_add(const ToolchainOptions& options) {
    std::vector<std::string> names;
    for (const auto& name : options.names) {
        if (!is_place(name))
            KB_TRY(toolchain::SdkRequest::parse(name));
        if (std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    }
    return names;
}

/// The time of the network and of the machine, apart.
std::string how_long(const toolchain::AddResult& added, double seconds) {
    if (added.already_there)
        return "there already";
    if (!added.fetching)
        return fmt::format("in {:.1f} s", seconds);
    const double fetching = added.fetching->count();
    return fmt::format(
        "fetched in {:.1f} s, prepared in {:.1f} s", fetching, std::max(0.0, seconds - fetching));
}

/// All are tried, so that one that cannot be had does not keep the others away; the first error is
/// the result.
Result<int> add(const Context& context, const ToolchainOptions& options) {
    KB_TRY_ASSIGN(names, names_to_add(options));
    std::optional<support::Error> first_error;
    for (auto& [added, seconds] : add_side_by_side(context, options, names)) {
        if (!added) {
            if (added.error().kind == ErrorKind::interrupted)
                return tl::unexpected(std::move(added.error()));
            if (first_error)
                context.show(*first_error);
            first_error = std::move(added.error());
            continue;
        }
        context.say(
            fmt::format("{}: {}, {}", added->name, added->summary, how_long(*added, seconds)));
    }
    if (first_error)
        return tl::unexpected(std::move(*first_error));
    return 0;
}

/// Refused for what a project locks, before anything is removed.
Result<void> check_unlocked(const std::vector<toolchain::SdkRequest>& requests) {
    for (const auto& request : requests)
        if (const auto users = projects_that_lock(request.name()); !users.empty())
            return support::fail(ErrorKind::usage,
                                 fmt::format("`{}` is in the kbuild.lock of `{}`",
                                             request.name(),
                                             users.front().string()),
                                 "remove it all the same with `--force`");
    return {};
}

/// Removes what was made of the torch at a path.
Result<void> remove_place(const toolchain::Store& store, const std::string& place) {
    KB_TRY_ASSIGN(count, toolchain::remove_local_torch(store, place));
    if (count == 0)
        return support::fail(ErrorKind::usage,
                             fmt::format("nothing was made of the torch at `{}`", place));
    return {};
}

Result<void> remove_one(const toolchain::Store& store, const std::string& name) {
    if (name.starts_with(portable::kBaselinePrefix))
        return portable::remove_baseline(store.root(), name);
    if (is_place(name))
        return remove_place(store, name);
    KB_TRY_ASSIGN(request, toolchain::SdkRequest::parse(name));
    return toolchain::remove_sdk(store, request);
}

Result<int> remove(const Context& context, const ToolchainOptions& options) {
    std::vector<std::string> sdks;
    for (const auto& name : options.names)
        if (!name.starts_with(portable::kBaselinePrefix) && !is_place(name))
            sdks.push_back(name);
    KB_TRY_ASSIGN(requests, parse_names(sdks));
    if (!options.force)
        KB_TRY(check_unlocked(requests));
    for (const auto& name : options.names) {
        KB_TRY(remove_one(toolchain::Store::at_default_place(), name));
        context.say(fmt::format("{}: removed", name));
    }
    return 0;
}

Result<int> lock(const Context& context, const ToolchainOptions& options) {
    return write_lock(context, options.dir);
}

/// The root of an SDK that was found, however it got there.
Result<std::filesystem::path> root_of(const toolchain::FoundSdks& found,
                                      const toolchain::SdkRequest& request) {
    if (request.kind == toolchain::SdkRequest::Kind::rocm) {
        for (const auto& sdk : found.rocm)
            if (sdk.short_version() == request.version)
                return sdk.root;
    } else {
        for (const auto& sdk : found.torch)
            if (sdk.short_version() == request.version)
                return sdk.root;
    }
    const auto known = toolchain::known_sdks();
    const bool can_be_fetched =
        std::find(known.begin(), known.end(), request.name()) != known.end();
    return support::fail(ErrorKind::toolchain,
                         fmt::format("there is no SDK {}", request.name()),
                         can_be_fetched ? fmt::format("kbuild toolchain add {}", request.name())
                                        : "no provider has it; install it and set `ROCM_PATH`");
}

/// The folder of the SDK that was asked for.
Result<std::filesystem::path> folder_in(const std::filesystem::path& root,
                                        const toolchain::SdkRequest& request,
                                        const ToolchainOptions& options) {
    if (!options.cmake && !options.bin)
        return root;
    if (request.kind != toolchain::SdkRequest::Kind::rocm)
        return support::fail(ErrorKind::usage,
                             fmt::format("{} has headers and stubs of libraries alone: `--bin` and "
                                         "`--cmake` are of a ROCm",
                                         request.name()),
                             fmt::format("kbuild toolchain path {}", request.name()));
    return root / (options.bin ? "bin" : "lib/cmake");
}

Result<int> path(const Context& context, const ToolchainOptions& options) {
    KB_TRY_ASSIGN(requests, parse_names(options.names));
    if (int{options.root} + int{options.bin} + int{options.cmake} > 1)
        return support::fail(ErrorKind::usage, "only one of `--root`, `--bin` and `--cmake`");
    KB_TRY_ASSIGN(found, find_all());
    for (const auto& request : requests) {
        KB_TRY_ASSIGN(root, root_of(found, request));
        KB_TRY_ASSIGN(folder, folder_in(root, request, options));
        if (!support::is_folder(folder))
            return support::fail(
                ErrorKind::toolchain,
                fmt::format("{} has no folder `{}`", request.name(), folder.string()));
        context.data(folder.string() + "\n");
    }
    return 0;
}

/// The newest ROCm that variants of this torch can be built with; none if there is none. No torch
/// of today can be compiled with HIP 5.
const model::RocmSdk* rocm_for(const model::TorchSdk& torch, const toolchain::FoundSdks& found) {
    const model::RocmSdk* newest = nullptr;
    if (!torch.no_rocm.empty())
        return newest;
    for (const auto& sdk : found.rocm)
        if (sdk.version.major() >= 6 && (!torch.rocm || *torch.rocm == sdk.short_version()) &&
            (newest == nullptr || newest->version < sdk.version))
            newest = &sdk;
    return newest;
}

/// Tries out the named SDKs, or all: a kernel is compiled, linked and read back.
Result<int> verify(const Context& context, const ToolchainOptions& options) {
    KB_TRY_ASSIGN(requests, parse_names(options.names));
    KB_TRY_ASSIGN(found, find_all());
    for (const auto& request : requests)
        KB_TRY(root_of(found, request));
    const auto wanted = [&](toolchain::SdkRequest::Kind kind, const model::Version& version) {
        bool named = requests.empty();
        for (const auto& request : requests)
            named = named || (request.kind == kind && request.version == version);
        return named;
    };
    int failures = 0;
    const auto report = [&](const std::string& name, const Result<std::string>& outcome) {
        if (outcome)
            context.data(fmt::format("{}: ok, {}\n", name, *outcome));
        else
            context.show(outcome.error());
        failures += outcome ? 0 : 1;
    };
    for (const auto& sdk : found.rocm)
        if (wanted(toolchain::SdkRequest::Kind::rocm, sdk.short_version()))
            report(sdk.name, toolchain::try_rocm(sdk));
    for (const auto& sdk : found.torch)
        if (wanted(toolchain::SdkRequest::Kind::torch, sdk.short_version()))
            report(sdk.name, toolchain::try_torch(sdk, rocm_for(sdk, found)));
    return failures == 0 ? 0 : support::exit_code(ErrorKind::toolchain);
}

} // namespace

Command toolchain_command() {
    return {
        "toolchain", "ROCm and torch SDKs: find, fetch, remove and try them", {}, [](Options& app) {
            const auto options = std::make_shared<ToolchainOptions>();
            const auto action = std::make_shared<Action>();
            app.require_subcommand();
            const auto declare = [&](const std::string& name, const std::string& help, auto run) {
                return app.subcommand(name, help, [options, action, run] {
                    *action = [options, run](Context& context) { return run(context, *options); };
                });
            };
            const auto names = [&](Options sub, const std::string& help, bool required) {
                sub.values(options->names, {.names = "NAME", .help = help, .required = required});
            };
            auto list_options =
                declare("list", "what was found on this machine, and what can be fetched", list);
            declare_format(list_options, options->format, {"text", "json"});
            auto add_sub = declare("add", "fetch SDKs; does nothing for those that are there", add);
            names(
                add_sub,
                "rocm@VERSION, torch@VERSION, or the path of a torch: a wheel, a libtorch folder, "
                "a Python environment",
                true);
            add_sub.value(options->save,
                          {.names = "--save",
                           .help = "keep the fetched files, so that --from can use them",
                           .type = "DIR"});
            add_sub.value(options->from,
                          {.names = "--from",
                           .help = "make the SDKs from saved files, without a network",
                           .type = "DIR"});
            add_sub.values(options->extra,
                           {.names = "--extra",
                            .help = "with the headers of this ROCm library, as rocwmma",
                            .type = "NAME"});
            auto remove_sub = declare("remove", "remove fetched SDKs", remove);
            names(remove_sub,
                  "SDKs to remove; the path of a torch, to drop what was made of it; or a baseline "
                  "as `list` names it",
                  true);
            remove_sub.flag(options->force,
                            {.names = "--force", .help = "also what a kbuild.lock names"});
            auto path_sub = declare("path", "print the folder of an SDK", path);
            names(path_sub, "rocm@VERSION or torch@VERSION", true);
            path_sub.flag(options->root, {.names = "--root", .help = "the SDK itself (default)"});
            path_sub.flag(options->bin, {.names = "--bin", .help = "the programs of a ROCm"});
            path_sub.flag(options->cmake,
                          {.names = "--cmake", .help = "the CMake packages of a ROCm"});
            declare("lock", "write kbuild.lock: the SDKs of a project, to the byte", lock)
                .value(options->dir, {.names = "DIR", .help = kProjectHelp});
            names(declare("verify", "compile, link and read back a small kernel", verify),
                  "SDKs to try; all without a name",
                  false);
            return [action](Context& context) { return (*action)(context); };
        }};
}

} // namespace kbuild::cli
