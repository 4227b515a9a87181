#include "build_stamp.hpp"

#include "build_report.hpp"

#include "kbuild/process/command.hpp"
#include "kbuild/sources/source_tree.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/version_info.hpp"
#include "kbuild/toolchain/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using build::FileState;
using support::Result;

constexpr const char* kSelf = "/proc/self/exe";

/// Variables that say where SDKs are; all others that reach a build are in clean_environment().
constexpr std::array kSdkVariables = {"ROCM_PATH",
                                      "HIP_PATH",
                                      "KBUILD_OPT_DIR",
                                      "KBUILD_USR_DIR",
                                      "XDG_DATA_HOME",
                                      "XDG_CONFIG_HOME",
                                      "VIRTUAL_ENV",
                                      "CONDA_PREFIX"};

void add_environment(support::Fingerprint& key) {
    for (const auto& [name, value] : process::clean_environment())
        key.add(name, value);
    for (const auto* const name : kSdkVariables)
        key.add(name, support::environment(name).value_or(""));
    key.add("ignored", support::join(process::ignored_variables(), " "));
}

/// Places whose entries decide which SDKs there are, and files that decide how things are built.
std::set<fs::path> outside_files(const FinishedBuild& build) {
    const auto store = toolchain::Store::at_default_place().root();
    std::set<fs::path> files{store,
                             support::environment("KBUILD_OPT_DIR").value_or("/opt"),
                             fs::path(support::environment("KBUILD_USR_DIR").value_or("/usr")) /
                                 "include/hip/hip_version.h",
                             support::config_home() / "config.toml",
                             build.inputs.tools.cmake,
                             build.inputs.tools.ninja,
                             build.inputs.tools.cxx,
                             build.inputs.tools.c};
    if (build.inputs.baseline)
        files.insert(build.inputs.baseline->first.begin(), build.inputs.baseline->first.end());
    for (const auto& selected : build.set.selected) {
        if (selected.torch != nullptr)
            files.insert({selected.torch->root, selected.torch->root / "sdk.json"});
        if (selected.torch != nullptr && !selected.torch->place.empty())
            files.insert({selected.torch->place,
                          selected.torch->place / "version.py",
                          selected.torch->place / "lib/libtorch_cpu.so"});
        if (selected.rocm != nullptr)
            files.insert(
                {selected.rocm->root, selected.rocm->root / "sdk.json", selected.rocm->clang});
    }
    return files;
}

/// SDKs of the store never change in place: their manifests stand for their files.
std::vector<fs::path> immutable_folders() {
    return {toolchain::Store::at_default_place().root()};
}

Result<std::vector<FileState>> inputs_of(const FinishedBuild& build) {
    const auto& root = build.project.root;
    KB_TRY_ASSIGN(named, build::input_files(root, build.project.config));
    std::set<fs::path> edited{root / "build.toml", root / "kbuild.toml", root / "kbuild.lock"};
    for (const auto& file : named)
        edited.insert(root / file);
    auto others = outside_files(build);
    if (!build.plan.trees.empty()) {
        KB_TRY_ASSIGN(read,
                      build::compiled_from(build.folder, build.inputs.tools, immutable_folders()));
        for (const auto& file : read)
            (sources::name_in_tree(root, file) ? edited : others).insert(file);
    }
    KB_TRY(build::note_contents(build.folder, {edited.begin(), edited.end()}));
    std::vector<FileState> states;
    for (const auto& file : edited) {
        KB_TRY_ASSIGN(state, build::hashed_state_of_file(file));
        states.push_back(std::move(state));
        others.erase(file);
    }
    for (const auto& file : others)
        states.push_back(support::state_of_file(file));
    std::sort(states.begin(), states.end(), [](const FileState& a, const FileState& b) {
        return a.path < b.path;
    });
    return states;
}

Result<std::vector<FileState>> outputs_of(const build::BuildResult& result) {
    std::vector<FileState> states;
    for (const auto& variant : result.variants) {
        KB_TRY_ASSIGN(files, support::list_files(variant.published->path));
        for (const auto& file : files)
            states.push_back(support::state_of_file(variant.published->path / file));
    }
    return states;
}

/// What a run will report that finds everything up to date.
build::BuildResult up_to_date(build::BuildResult result) {
    for (auto& variant : result.variants) {
        variant.state = build::VariantResult::State::fresh;
        variant.seconds = 0;
        if (variant.published)
            variant.published->fresh = true;
    }
    result.configured = {};
    result.compiled.compiles = 0;
    result.compiled.links = 0;
    result.compiled.cache = {};
    result.compiled.seconds = 0;
    return result;
}

std::int64_t nanoseconds_now() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

} // namespace

std::int64_t build_start() {
    constexpr std::int64_t kClockTick = 10'000'000;
    return nanoseconds_now() - kClockTick;
}

Result<std::string> build_request(const Project& project,
                                  const build::Identity& identity,
                                  const std::vector<std::string>& options) {
    support::Fingerprint key;
    const auto version = support::version_info();
    const auto self = support::state_of_file(kSelf);
    key.add("version", version.version).add("commit", version.commit);
    key.add("executable", fmt::format("{} {} {}", self.size, self.changed, self.inode));
    key.add("root", project.root.string()).add("id", identity.unique_id);
    key.add("kernel commit", identity.commit ? identity.commit->commit : "");
    for (const auto& option : options)
        key.add("option", option);
    add_environment(key);
    KB_TRY_ASSIGN(files, build::input_files(project.root, project.config));
    for (const auto& file : files)
        key.add("file", file.string());
    return key.hex();
}

Result<void> remember(const FinishedBuild& build) {
    build::Stamp stamp;
    stamp.request = build.request;
    KB_TRY_ASSIGN(inputs, inputs_of(build));
    if (build::changed_between(inputs, build.start, nanoseconds_now()))
        return {};
    stamp.inputs = std::move(inputs);
    KB_TRY_ASSIGN(outputs, outputs_of(build.result));
    stamp.outputs = std::move(outputs);
    stamp.remarks = build.remarks;
    const auto fresh = up_to_date(build.result);
    stamp.text = build_report_text(fresh, build.set, build.plan);
    stamp.json = build_report_json(fresh, build.set, build.plan);
    return build::write_stamp(build.folder, stamp);
}

} // namespace kbuild::cli
