#include "toolchain_lock.hpp"

#include "sdk_options.hpp"

#include "kbuild/build/missing_headers.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/find.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

template <typename Sdk> config::LockedSdk locked_sdk(const std::string& kind, const Sdk& sdk) {
    const auto content = toolchain::content_of(sdk.root);
    config::LockedSdk locked{fmt::format("{}@{}", kind, sdk.short_version().dotted()),
                             sdk.full_version,
                             sdk.provider,
                             std::string(model::to_string(sdk.origin)),
                             content.source,
                             sdk.fingerprint,
                             {},
                             content.extra};
    for (const auto& file : content.files)
        locked.files.push_back({file.name, file.version, file.sha256});
    return locked;
}

/// Where the places of locked projects are remembered, one small file each.
fs::path register_of_projects() {
    return support::data_home() / "locked-projects";
}

Result<void> remember(const fs::path& root) {
    const auto name = support::to_hex(support::sha256(root.string())).substr(0, 16);
    return support::write_file_atomically(register_of_projects() / name, root.string() + "\n");
}

} // namespace

config::ToolchainLock lock_of(const matrix::BuildSet& set) {
    config::ToolchainLock lock;
    std::map<std::string, config::LockedSdk> sdks;
    for (const auto& selected : set.selected) {
        lock.variants.push_back(selected.variant.name());
        if (selected.rocm != nullptr)
            sdks.emplace(selected.rocm->root.string(), locked_sdk("rocm", *selected.rocm));
        if (selected.torch != nullptr)
            sdks.emplace(selected.torch->root.string(), locked_sdk("torch", *selected.torch));
    }
    std::sort(lock.variants.begin(), lock.variants.end());
    for (auto& [root, sdk] : sdks)
        lock.sdks.push_back(std::move(sdk));
    std::sort(lock.sdks.begin(), lock.sdks.end(), [](const auto& a, const auto& b) {
        return a.name < b.name;
    });
    return lock;
}

Result<void> check_lock(const Context& context,
                        const Project& project,
                        const matrix::BuildSet& set,
                        bool partial) {
    KB_TRY_ASSIGN(lock, config::load_toolchain_lock(project.root));
    const bool strict = context.globals().locked;
    if (!lock) {
        if (!strict)
            return {};
        return support::fail(ErrorKind::toolchain,
                             "`--locked` needs a `kbuild.lock`, and the project has none",
                             "kbuild toolchain lock");
    }
    const auto lines = config::differences(*lock, lock_of(set), partial);
    if (lines.empty())
        return {};
    if (strict)
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("not as `kbuild.lock` says:\n  {}", support::join(lines, "\n  ")),
            "get what is locked with `kbuild toolchain add NAME --locked`, or lock what there is "
            "with `kbuild toolchain lock`");
    for (const auto& line : lines)
        context.say("note: not as kbuild.lock says: " + line);
    return {};
}

Result<void> hold_to_lock(const Context& context,
                          const fs::path& root,
                          const std::string& sdk,
                          toolchain::AddOptions& options) {
    if (!context.globals().locked)
        return {};
    KB_TRY_ASSIGN(lock, config::load_toolchain_lock(root));
    if (!lock)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("`--locked` needs a `kbuild.lock`, and `{}` has none",
                                         support::display_path(root)),
                             "kbuild toolchain lock");
    const auto* const locked = lock->find(sdk);
    if (locked == nullptr)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("`kbuild.lock` names no {}", sdk),
                             "kbuild toolchain lock");
    for (const auto& file : locked->files)
        options.wanted.push_back({file.name, file.version, file.sha256});
    options.extra = locked->extra;
    return {};
}

Result<int> write_lock(const Context& context, const std::string& dir) {
    KB_TRY_ASSIGN(project, load_project(context, dir));
    KB_TRY_ASSIGN(find_options, SelectionOptions().find_options());
    KB_TRY_ASSIGN(sdks, toolchain::find_sdks(find_options));
    auto set = matrix::select(project.config, project.settings, sdks.rocm, sdks.torch, {});
    build::rule_out_missing_headers(project.config, project.settings, project.root, false, set);
    KB_TRY(matrix::check_selection(set));
    const auto lock = lock_of(set);
    KB_TRY(support::write_file_if_changed(project.root / config::kToolchainLockName,
                                          config::write_toolchain_lock(lock)));
    KB_TRY(remember(project.root));
    std::size_t files = 0;
    for (const auto& sdk : lock.sdks)
        files += sdk.files.size();
    context.say(fmt::format("{}: {} with {}, {}",
                            support::display_path(project.root / config::kToolchainLockName),
                            support::plural(lock.variants.size(), "variant"),
                            support::plural(lock.sdks.size(), "SDK"),
                            support::plural(files, "file")));
    for (const auto& excluded : set.excluded)
        if (excluded.cause == matrix::Excluded::Cause::sdk)
            context.say(fmt::format("not locked {}: {}", excluded.variant.name(), excluded.reason));
    return 0;
}

std::vector<fs::path> projects_that_lock(const std::string& sdk) {
    std::vector<fs::path> projects;
    const auto folder = register_of_projects();
    const auto names = support::list_names(folder);
    for (const auto& name : names.value_or(std::vector<std::string>())) {
        const auto text = support::read_file(folder / name, 1U << 16U);
        const fs::path root(std::string(support::trim(text.value_or(""))));
        const auto lock = config::load_toolchain_lock(root);
        if (lock && *lock && (*lock)->find(sdk) != nullptr)
            projects.push_back(root);
    }
    std::sort(projects.begin(), projects.end());
    return projects;
}

} // namespace kbuild::cli
