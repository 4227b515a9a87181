#include "build_events.hpp"
#include "build_progress.hpp"
#include "build_report.hpp"
#include "build_stamp.hpp"
#include "build_timings.hpp"
#include "commands.hpp"
#include "project.hpp"
#include "project_lock.hpp"
#include "sdk_options.hpp"
#include "stand_ins.hpp"
#include "toolchain_lock.hpp"
#include "unique_id.hpp"
#include "upload.hpp"

#include "kbuild/abi/manylinux.hpp"
#include "kbuild/build/build.hpp"
#include "kbuild/build/driver.hpp"
#include "kbuild/build/emulated_tests.hpp"
#include "kbuild/build/identity.hpp"
#include "kbuild/build/missing_headers.hpp"
#include "kbuild/build/steps.hpp"
#include "kbuild/generate/writable.hpp"
#include "kbuild/matrix/select.hpp"
#include "kbuild/portable/baseline.hpp"
#include "kbuild/precompile/precompiled.hpp"
#include "kbuild/process/command.hpp"
#include "kbuild/step/usable_cores.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/add.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/toolchain/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <unistd.h>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

struct BuildOptions {
    std::string dir;
    SelectionOptions selection;
    std::vector<std::string> archs;
    std::string driver;
    std::string launcher;
    std::string unique_id; ///< empty: git's, or the content's
    unsigned jobs = 0;     ///< 0: as many as cores
    unsigned memory = 0;   ///< MiB
    bool dry_run = false;
    bool fetch = false;
    bool fail_fast = false;
    bool emulate = false;
    std::vector<std::string> keep_env;
    bool and_upload = false;
    publish::Allowances allowed; ///< of the upload
    std::string format = "text";
    std::string timings; ///< a file
    std::string events;  ///< a file
    bool explain = false;
    bool no_pch = false;
    bool no_split = false;
    bool fresh = false;
};

const std::map<std::string, config::Driver> kDrivers = {{"auto", config::Driver::automatic},
                                                        {"hipcc", config::Driver::hipcc},
                                                        {"amdclang++", config::Driver::amdclang},
                                                        {"clang++", config::Driver::clang}};

Result<std::vector<model::GfxArch>> parse_archs(const std::vector<std::string>& names) {
    std::vector<model::GfxArch> archs;
    for (const auto& name : names) {
        const auto arch = model::GfxArch::parse(name);
        if (!arch)
            return support::fail(ErrorKind::usage,
                                 fmt::format("`{}` is not an architecture", name),
                                 "write it as `gfx942`");
        archs.push_back(*arch);
    }
    return archs;
}

/// The SDKs at hand and what the project, the settings and the filters make of them. `set` points
/// into `sdks`.
struct Selection {
    toolchain::FoundSdks sdks;
    matrix::BuildSet set;
};

Result<std::unique_ptr<Selection>>
select(const Context& context, const Project& project, const SelectionOptions& options) {
    auto selection = std::make_unique<Selection>();
    KB_TRY_ASSIGN(find_options, options.find_options(&context));
    KB_TRY_ASSIGN(sdks, toolchain::find_sdks(find_options));
    selection->sdks = std::move(sdks);
    KB_TRY_ASSIGN(filters, options.filters());
    selection->set = matrix::select(
        project.config, project.settings, selection->sdks.rocm, selection->sdks.torch, filters);
    build::rule_out_missing_headers(
        project.config, project.settings, project.root, options.require_all, selection->set);
    return selection;
}

/// Fetches the SDKs that exclusions ask for; whether there were any.
Result<bool>
fetch_missing(const Context& context, const Project& project, const matrix::BuildSet& set) {
    if (context.globals().offline)
        return support::fail(ErrorKind::usage,
                             "`--fetch` needs the network, and `--offline` forbids it");
    std::vector<std::string> wanted;
    for (const auto& excluded : set.excluded)
        for (const auto& word : support::split(excluded.fix, ' '))
            if (word.find('@') != std::string::npos)
                wanted.push_back(word);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const auto store = toolchain::Store::at_default_place();
    for (const auto& name : wanted) {
        KB_TRY_ASSIGN(request, toolchain::SdkRequest::parse(name));
        toolchain::AddOptions how;
        how.sources = project.settings.sources;
        how.extra = project.settings.extra_libraries;
        KB_TRY(hold_to_lock(context, project.root, request.name(), how));
        const auto say = [&](const std::string& line) {
            context.say(fmt::format("{}: {}", name, line));
        };
        KB_TRY_ASSIGN(added, toolchain::add_sdk(store, request, say, how));
        context.say(fmt::format("{}: {}", added.name, added.summary));
    }
    return !wanted.empty();
}

Result<std::unique_ptr<Selection>>
select_and_fetch(const Context& context, const Project& project, const BuildOptions& options) {
    KB_TRY_ASSIGN(selection, select(context, project, options.selection));
    if (options.fetch || project.settings.fetch) {
        KB_TRY_ASSIGN(fetched, fetch_missing(context, project, selection->set));
        if (fetched)
            return select(context, project, options.selection);
    }
    return selection;
}

using Lines = std::vector<std::string>;

Lines exclusions_of(const matrix::BuildSet& set) {
    Lines lines;
    for (const auto& excluded : set.excluded)
        lines.push_back(
            fmt::format("left out {}: {}{}",
                        excluded.variant.name(),
                        excluded.reason,
                        excluded.fix.empty() ? "" : fmt::format(" (`{}`)", excluded.fix)));
    return lines;
}

Lines notes_of(const Selection& selection) {
    Lines lines;
    for (const auto& problem : selection.sdks.problems)
        lines.push_back("note: " + problem);
    if (const auto kept = process::kept_variables(); !kept.empty())
        lines.push_back(fmt::format("note: kept for the build: {}", support::join(kept, ", ")));
    if (const auto ignored = process::ignored_variables(); !ignored.empty())
        lines.push_back(
            fmt::format("note: kept out of the build: {}", support::join(ignored, ", ")));
    return lines;
}

void say_all(const Context& context, const Lines& lines) {
    for (const auto& line : lines)
        context.say(line);
}

/// Each ROCm is tried out before its first use.
Result<void> prove_sdks(const matrix::BuildSet& set) {
    std::set<std::string> done;
    for (const auto& selected : set.selected)
        if (selected.rocm != nullptr && done.insert(selected.rocm->root.string()).second) {
            auto proven = toolchain::prove_rocm(*selected.rocm);
            if (!proven)
                return support::pass_on(std::move(proven),
                                        fmt::format("trying out {}", selected.rocm->name));
        }
    return {};
}

/// Refuses a driver that a chosen SDK does not have, and says where another one than usual
/// compiles.
Result<Lines> settle_drivers(config::Driver driver, const matrix::BuildSet& set) {
    std::set<std::string> notes;
    for (const auto& selected : set.selected) {
        if (selected.rocm == nullptr)
            continue;
        KB_TRY(build::choose_driver(driver, *selected.rocm));
        notes.insert(build::passed_over_hipcc(driver, *selected.rocm));
    }
    notes.erase("");
    Lines lines;
    for (const auto& note : notes)
        lines.push_back("note: " + note);
    return lines;
}

Result<build::CompilerCache> compiler_cache(const config::Settings& settings,
                                            const std::string& option,
                                            const toolchain::HostTools& tools) {
    const auto& wanted = option.empty() ? settings.launcher : option;
    build::CompilerCache cache{{}, build::default_cache_folder(), settings.cache_remote};
    if (wanted == "auto")
        cache.program = tools.ccache.value_or(fs::path());
    else if (wanted != "none") {
        const auto program = support::find_program(wanted);
        if (!program)
            return support::fail(ErrorKind::toolchain,
                                 fmt::format("there is no `{}` to run compilers with", wanted),
                                 "install ccache, or build with `--launcher none`");
        cache.program = *program;
    }
    cache.steps = build::find_step_program(build::kStepProgram).has_value();
    return cache;
}

Result<build::PlanInputs> plan_inputs(const Project& project,
                                      const build::WorkFolder& folder,
                                      const BuildOptions& options,
                                      const build::Identity& identity) {
    build::PlanInputs inputs;
    inputs.root = project.root;
    inputs.work = folder.work;
    inputs.headers = folder.headers;
    inputs.driver = options.driver.empty() ? project.settings.driver : kDrivers.at(options.driver);
    KB_TRY_ASSIGN(archs, parse_archs(options.archs));
    inputs.only_archs = std::move(archs);
    inputs.unique_id = identity.unique_id;
    KB_TRY_ASSIGN(tools, toolchain::find_host_tools(project.settings.host_cxx));
    inputs.tools = std::move(tools);
    KB_TRY_ASSIGN(cache, compiler_cache(project.settings, options.launcher, inputs.tools));
    inputs.cache = std::move(cache);
    if (build::find_step_program(build::kLinkProgram))
        inputs.link_launcher = fmt::format("./{}", build::kLinkProgram);
    return inputs;
}

/// Whether any variant has a library; packages of Python files have none.
bool links(const matrix::BuildSet& set) {
    return std::any_of(set.selected.begin(), set.selected.end(), [](const auto& selected) {
        return selected.torch != nullptr;
    });
}

/// What variants are linked with for the project's policy; made first where this compiler has none
/// yet. A plan that is only shown needs none.
Result<std::optional<portable::Baseline>>
baseline_of(const Context& context, const Project& project, const toolchain::HostTools& tools) {
    if (project.settings.policy == "none")
        return std::optional<portable::Baseline>();
    const auto policy =
        abi::manylinux_policy(project.settings.policy, std::string(model::host_cpu()));
    if (!policy)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("there is no policy {} for {}",
                                         project.settings.policy,
                                         model::host_cpu()));
    KB_TRY_ASSIGN(baseline,
                  portable::ensure_baseline(toolchain::Store::at_default_place().root(),
                                            {*policy, tools.cxx, tools.c},
                                            [&](const std::string& line) { context.say(line); }));
    return std::optional(std::move(baseline));
}

unsigned jobs_of(const BuildOptions& options) {
    return options.jobs != 0 ? options.jobs : step::usable_cores();
}

build::PassOptions pass_options(BuildProgress& progress, const BuildOptions& options) {
    build::PassOptions passes;
    passes.split = !options.no_split;
    passes.precompile = !options.no_pch;
    passes.store = precompile::default_folder();
    passes.jobs = jobs_of(options);
    passes.say = [&progress](const std::string& line) { progress.say(line); };
    passes.on_tick = [&progress](std::size_t made, std::size_t all) {
        progress.headers_made(made, all);
    };
    return passes;
}

/// What the project is at this run, and what the next run is to know of it.
struct ThisRun {
    build::Identity identity;
    std::string request;
    std::int64_t start = 0;
    Lines remarks;
};

/// Settings that are made for `kbuild emulate` hold here too.
std::map<std::string, std::string> emulator_settings() {
    std::map<std::string, std::string> settings;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (const auto equals = text.find('='); text.starts_with("KBUILD_EMULATE_"))
            settings.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return settings;
}

/// Why steps were done.
Lines reasons_of(const build::BuildResult& result) {
    Lines lines;
    for (const auto& unit : result.passes.textual)
        lines.push_back(fmt::format(
            "{}: without a precompiled header: {}", support::display_path(unit.unit), unit.reason));
    if (result.reasons.empty())
        lines.emplace_back("nothing has to be compiled or linked: all inputs are as they were");
    for (const auto& reason : result.reasons)
        lines.push_back(fmt::format("{}: {}", reason.output, reason.text));
    return lines;
}

/// Runs the project's tests of `[test] emulate`; the exit code.
Result<int> run_emulated(const Context& context,
                         const Project& project,
                         const build::Plan& plan,
                         const build::BuildInputs& inputs) {
    build::EmulatedTestInputs tests;
    for (const auto& source : project.settings.emulated_tests)
        tests.sources.push_back(source.value);
    if (tests.sources.empty())
        return support::fail(
            ErrorKind::usage,
            "`--emulate` has nothing to run",
            "list C++ programs in kbuild.toml: `[test] emulate = [\"tests/emulated.cpp\"]`");
    KB_TRY_ASSIGN(stand_ins, find_stand_ins());
    tests.stand_ins = stand_ins;
    tests.settings = emulator_settings();
    KB_TRY_ASSIGN(results, build::run_emulated_tests(plan, inputs, tests));
    int code = 0;
    for (const auto& test : results) {
        context.say(
            fmt::format("{} with {}: {}", test.source, test.sdk, test.ok ? "passed" : test.how));
        if (!test.ok)
            context.say(test.output);
        code = test.ok ? code : support::exit_code(ErrorKind::content);
    }
    return code;
}

build::StageInputs stage_inputs(const Project& project,
                                const build::Plan& plan,
                                const build::PlanInputs& inputs,
                                const build::Identity& identity) {
    build::StageInputs stage;
    stage.root = project.root;
    stage.kernel_commit = identity.commit;
    stage.policy = project.settings.policy;
    stage.baseline = inputs.baseline;
    stage.tools = inputs.tools;
    stage.commands = build::record_commands(plan, inputs);
    stage.budgets = project.settings.budgets;
    return stage;
}

/// The options that decide what is built; how it is done and shown is left out.
Lines deciding_options(const BuildOptions& options) {
    Lines all{options.driver, options.launcher, options.selection.require_all ? "all" : ""};
    for (const auto* const list : {&options.selection.variants,
                                   &options.selection.torch,
                                   &options.selection.rocm,
                                   &options.selection.backends,
                                   &options.archs}) {
        all.emplace_back("list");
        all.insert(all.end(), list->begin(), list->end());
    }
    return all;
}

/// Whether a report of the last build would do. The summary on GitHub is written from results.
bool may_be_fresh(const Context& context, const BuildOptions& options) {
    return !context.globals().locked && !options.fresh && !options.dry_run && !options.fetch &&
           !options.emulate && options.timings.empty() && options.events.empty() &&
           !options.explain && !support::environment("GITHUB_STEP_SUMMARY");
}

/// Whether the last build had the same request and nothing changed since; then it is reported
/// again.
bool reports_fresh(const Context& context,
                   const build::WorkFolder& folder,
                   const std::string& request,
                   const std::string& format) {
    const auto stamp = build::fresh_stamp(folder, request);
    if (!stamp)
        return false;
    say_all(context, stamp->remarks);
    context.data(format == "json" ? stamp->json : stamp->text);
    return true;
}

/// What of a stopped build stands under build/.
void say_what_stands(const Context& context, const Project& project, const build::Plan& plan) {
    for (const auto& variant : plan.variants) {
        const auto name = variant.selected.variant.name();
        const bool there = support::path_exists(project.root / "build" / name);
        context.say(fmt::format("{} {}", there ? "kept" : "not built:", name));
    }
}

double seconds_since(std::chrono::steady_clock::time_point began) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

/// Builds, and tells meanwhile what happens.
Result<build::BuildResult> watched_build(const build::Plan& plan,
                                         build::BuildInputs& inputs,
                                         BuildProgress& progress,
                                         const std::string& events_path,
                                         diag::Collector& findings) {
    KB_TRY_ASSIGN(events_file, open_events(events_path));
    const auto began = std::chrono::steady_clock::now();
    std::optional<BuildEvents> events;
    if (events_file)
        events.emplace(*events_file, [began] { return seconds_since(began); }, progress);
    inputs.run.watcher = events ? static_cast<build::Watcher*>(&*events) : &progress;
    auto built = build::build(plan, inputs, findings);
    progress.finish();
    if (events)
        events->build_ended(built ? built->exit_code() : support::exit_code(built.error().kind));
    return built;
}

/// What was done, on all ways that were asked for.
Result<void> tell_result(const Context& context,
                         const Project& project,
                         const build::Plan& plan,
                         const Selection& selection,
                         const BuildOptions& options,
                         const build::BuildResult& built,
                         const diag::Collector& findings) {
    const auto name = project.config.general.name.value.text();
    for (const auto* const warnings : {&built.configured.warnings, &built.compiled.warnings})
        for (const auto& warning : *warnings)
            context.say("warning: " + warning);
    if (options.explain)
        say_all(context, reasons_of(built));
    context.data(options.format == "json" ? build_report_json(built, selection.set, plan)
                                          : build_report_text(built, selection.set, plan));
    write_github_summary(github_summary(name, built, selection.set, plan, findings));
    if (!options.timings.empty())
        return write_timings(options.timings, built, name);
    return {};
}

Result<int> run_plan(const Context& context,
                     const Project& project,
                     build::WorkFolder folder,
                     const build::Plan& plan,
                     const build::PlanInputs& inputs,
                     const Selection& selection,
                     const BuildOptions& options,
                     ThisRun run) {
    KB_TRY_ASSIGN(lock, lock_project(context, folder));
    // Whom this run waited for may have built the same.
    if (may_be_fresh(context, options))
        if (const auto stamp = build::fresh_stamp(folder, run.request)) {
            context.data(options.format == "json" ? stamp->json : stamp->text);
            return 0;
        }
    if (options.fresh)
        KB_TRY(build::set_trees_aside(folder, inputs.tools));
    KB_TRY_ASSIGN(trees_lock, lock_trees(context, folder));
    if (trees_lock.enforced())
        folder.lock = trees_lock.descriptor();
    KB_TRY_ASSIGN(swept, build::prepare(folder));
    if (swept)
        context.say("removed what a build that was killed left half-made");
    KB_TRY(build::remove_stamp(folder));
    build::BuildInputs build_inputs{project.config, project.root, folder, inputs.tools, {}, {}, {}};
    build_inputs.stage = stage_inputs(project, plan, inputs, run.identity);
    BuildProgress progress(progress_output(context), plan);
    build_inputs.passes = pass_options(progress, options);
    build_inputs.run.jobs = jobs_of(options);
    build_inputs.run.keep_going = !options.fail_fast;
    build_inputs.run.explain = options.explain;
    build_inputs.run.memory = std::uint64_t{options.memory} << 20U;
    diag::Collector findings;
    const auto built = watched_build(plan, build_inputs, progress, options.events, findings);
    context.show(findings);
    if (!built && built.error().kind == ErrorKind::interrupted)
        say_what_stands(context, project, plan);
    if (!built)
        return tl::unexpected(built.error());
    if (built->passes.made > 0)
        (void)precompile::prune(precompile::default_folder(),
                                precompile::kMaximum,
                                std::chrono::hours(24)); // a cache; what is left of it is checked
    KB_TRY(tell_result(context, project, plan, selection, options, *built, findings));
    if (built->ok() && findings.in_order().empty())
        KB_TRY(remember({project,
                         folder,
                         selection.set,
                         plan,
                         inputs,
                         *built,
                         std::move(run.remarks),
                         std::move(run.request),
                         run.start}));
    if (options.emulate && built->ok())
        return run_emulated(context, project, plan, build_inputs);
    return built->exit_code();
}

UploadOptions upload_options(const Project& project, const BuildOptions& options) {
    UploadOptions upload;
    upload.dir = project.root.string();
    upload.allowed = options.allowed;
    upload.format = options.format;
    return upload;
}

/// Whether the Hub will take what is going to be built, asked before hours of building. The
/// repository is created: nothing else tells whether the account may publish kernels.
Result<void>
check_upload(const Context& context, const Project& project, const BuildOptions& options) {
    KB_TRY_ASSIGN(identity, build::identify(project.root, project.config));
    const bool traceable = identity.commit && !identity.commit->dirty;
    if (!traceable && !options.allowed.dirty)
        return support::fail(
            ErrorKind::content,
            "the project has changes that are in no commit, so the upload would be refused",
            "commit everything, or publish it anyway with `--allow-dirty`");
    const auto upload = upload_options(project, options);
    KB_TRY_ASSIGN(repository, target_repository({project.root, project.config}, upload));
    KB_TRY_ASSIGN(session, HubSession::open(context));
    KB_TRY(prove_rights(context, session, repository, upload, true));
    return {};
}

Result<int>
build_project(const Context& context, const Project& project, const BuildOptions& options) {
    ThisRun run;
    run.start = build_start();
    const auto folder = build::work_folder(project.root);
    KB_TRY_ASSIGN(identity, build::identify(project.root, project.config));
    if (!options.unique_id.empty()) {
        identity.unique_id = options.unique_id;
        identity.doubt.clear();
    }
    if (!identity.doubt.empty())
        context.say("warning: " + identity.doubt);
    KB_TRY_ASSIGN(request, build_request(project, identity, deciding_options(options)));
    if (may_be_fresh(context, options) && reports_fresh(context, folder, request, options.format))
        return 0;
    run.identity = identity;
    run.request = std::move(request);
    KB_TRY_ASSIGN(selection, select_and_fetch(context, project, options));
    run.remarks = notes_of(*selection);
    // The error of a selection that cannot be built tells its exclusions itself.
    say_all(context, run.remarks);
    KB_TRY(matrix::check_selection(selection->set));
    auto exclusions = exclusions_of(selection->set);
    say_all(context, exclusions);
    KB_TRY(check_lock(context, project, selection->set, options.selection.narrows()));
    KB_TRY_ASSIGN(inputs, plan_inputs(project, folder, options, identity));
    KB_TRY_ASSIGN(driver_notes, settle_drivers(inputs.driver, selection->set));
    say_all(context, driver_notes);
    for (auto* const lines : {&exclusions, &driver_notes})
        run.remarks.insert(run.remarks.end(), lines->begin(), lines->end());
    if (!options.dry_run)
        KB_TRY(prove_sdks(selection->set));
    if (!options.dry_run && links(selection->set)) {
        KB_TRY_ASSIGN(baseline, baseline_of(context, project, inputs.tools));
        inputs.baseline = std::move(baseline);
    }
    diag::Collector findings;
    KB_TRY_ASSIGN(conversions,
                  build::convert_cuda_sources(project.config,
                                              build::rocm_torches(selection->set),
                                              project.settings.hipify_keep,
                                              project.root,
                                              folder,
                                              findings));
    inputs.conversions = std::move(conversions);
    const auto plan = build::make_plan(project.config, selection->set, inputs, findings);
    context.show(findings);
    if (findings.has_errors())
        return support::exit_code(ErrorKind::config);
    for (const auto& note : plan.notes) {
        run.remarks.push_back("note: " + note);
        context.say(run.remarks.back());
    }
    if (options.dry_run) {
        context.data(build::describe(plan));
        return 0;
    }
    return run_plan(context, project, folder, plan, inputs, *selection, options, std::move(run));
}

Result<int> run_build(const Context& context, const BuildOptions& options) {
    if (!options.unique_id.empty())
        KB_TRY(check_unique_id(options.unique_id));
    if (!options.keep_env.empty())
        ::setenv(process::kKeepVariable, support::join(options.keep_env, ",").c_str(), 1);
    KB_TRY_ASSIGN(project, load_project(context, options.dir));
    KB_TRY(generate::check_project_folder(project.root));
    if (!options.and_upload || options.dry_run)
        return build_project(context, project, options);
    KB_TRY(check_upload(context, project, options));
    KB_TRY_ASSIGN(code, build_project(context, project, options));
    if (code != 0)
        return code;
    return run_upload(context, upload_options(project, options));
}

/// How it is compiled.
void declare_compiling(Options& app, BuildOptions& options) {
    app.values(options.archs,
               {.names = "--arch", .help = "only these architectures", .type = "GFX"});
    app.value(options.driver,
              {.names = "--driver",
               .help = "what compiles HIP",
               .type = "DRIVER",
               .choices = {"auto", "hipcc", "amdclang++", "clang++"},
               .variable = "KBUILD_DRIVER"});
    app.value(options.launcher,
              {.names = "--launcher",
               .help = "ccache to run compilers with: `auto`, `none`, or a path",
               .type = "CCACHE",
               .variable = "KBUILD_LAUNCHER"});
    app.value(options.unique_id,
              {.names = "--unique-id",
               .help = "last part of the name space of the operators; default: of the commit, or "
                       "of the sources",
               .type = "ID"});
    app.value(options.jobs,
              {.names = "-j,--jobs",
               .help = "compiles at a time; default: as many as cores, or as a "
                       "container's quota has",
               .type = "N",
               .variable = "KBUILD_JOBS"});
    app.flag(options.no_pch,
             {.names = "--no-pch",
              .help = "read the headers of SDKs as text in each compile; objects are the same",
              .variable = "KBUILD_NO_PCH"});
    app.flag(options.no_split,
             {.names = "--no-split",
              .help = "compile HIP for all architectures and the host by one command; objects are "
                      "the same"});
    app.value(
        options.memory,
        {.names = "--memory",
         .help = "memory for heavy compiles together; default: three quarters of what is free",
         .type = "MIB",
         .variable = "KBUILD_MEMORY"});
}

void declare(Options& app, BuildOptions& options) {
    app.value(options.dir, {.names = "DIR", .help = kProjectHelp});
    options.selection.declare(app);
    declare_compiling(app, options);
    app.flag(options.dry_run, {.names = "-n,--dry-run", .help = "print the plan, build nothing"});
    app.flag(options.fetch,
             {.names = "--fetch", .help = "get missing SDKs first", .variable = "KBUILD_FETCH"});
    app.values(options.keep_env,
               {.names = "--keep-env",
                .help = "pass this variable on to the compilers",
                .type = "NAME",
                .variable = process::kKeepVariable});
    app.flag(options.fail_fast, {.names = "--fail-fast", .help = "stop at the first failure"});
    app.opposite_flag(options.fail_fast,
                      {.names = "--keep-going", .help = "build what can be built (the default)"},
                      "--fail-fast");
    app.flag(options.emulate,
             {.names = "--emulate",
              .help = "run the programs of `[test] emulate` on the CPU afterwards"});
    app.flag(options.and_upload,
             {.names = "--and-upload",
              .help = "publish the variants afterwards; whether that is allowed is checked first"});
    app.flag(options.allowed.dirty,
             {.names = "--allow-dirty", .help = "as `kbuild upload` takes it"});
    app.flag(options.allowed.sdk_origin,
             {.names = "--allow-sdk-origin", .help = "as `kbuild upload` takes it"});
    app.flag(options.fresh,
             {.names = "--fresh",
              .help = "with new CMake trees and objects; what a killed build left at work is not "
                      "waited for"});
    app.flag(options.explain, {.names = "--explain", .help = "say why each step is done"});
    app.value(options.events,
              {.names = "--events",
               .help = "write what happens as it happens: a JSON object on a line each",
               .type = "FILE"});
    app.value(options.timings,
              {.names = "--timings",
               .help = "write what took how long: a page, or JSON if the name ends in .json",
               .type = "FILE"});
    declare_format(app, options.format, {"text", "json"});
}

} // namespace

Command build_command() {
    return {"build",
            "build every torch x ROCm variant into build/",
            {"build-and-copy"},
            [](Options& app) {
                const auto options = std::make_shared<BuildOptions>();
                declare(app, *options);
                return [options](Context& context) { return run_build(context, *options); };
            }};
}

} // namespace kbuild::cli
