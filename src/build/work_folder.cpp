#include "kbuild/build/work_folder.hpp"

#include "kbuild/layout/staging.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <set>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;

// The signature is fixed by the Cache Directory Tagging Specification (bford.info/cachedir).
constexpr std::string_view kTag = "Signature: 8a477f597d28d172789f06886806bc55\n"
                                  "# Work folder of kbuild. Everything in it can be made again.\n";

constexpr const char* kTreesLock = "trees.lock";

/// `c++ (pid 12), sh (pid 11)`: who has the lock open.
std::string programs_at(const fs::path& lock) {
    std::vector<std::string> programs;
    for (const auto& user : support::users_of_file(lock))
        programs.push_back(fmt::format("{} (pid {})", user.program, user.pid));
    return programs.empty() ? "other programs" : support::join(programs, ", ");
}

/// CMake knows the whole name of the folder and would write into the new one; Ninja would start
/// more.
void end_managers(const fs::path& lock, const toolchain::HostTools& tools) {
    const std::set<std::string> managers{
        "cmake", "ninja", tools.cmake.filename().string(), tools.ninja.filename().string()};
    for (const auto& user : support::users_of_file(lock))
        if (managers.contains(user.program))
            ::kill(user.pid, SIGKILL);
}

/// What `set_trees_aside` moves. The lock goes with them: a new one is nobody's.
constexpr std::array kTreeParts{"trees", "work", kTreesLock};

fs::path aside(const WorkFolder& folder) {
    return folder.root / "aside";
}

} // namespace

WorkFolder work_folder(const fs::path& project) {
    const auto root = project / ".kbuild";
    return {root,
            root / "trees",
            root / "include",
            root / "work",
            layout::stage_root(project, project / "build"),
            root / "logs",
            -1};
}

support::Result<void> mark_as_ours(const WorkFolder& folder) {
    KB_TRY(support::write_file_if_changed(folder.root / "CACHEDIR.TAG", kTag));
    KB_TRY(support::write_file_if_changed(folder.root / ".gitignore", "*\n"));
    return {};
}

support::Result<bool> prepare(const WorkFolder& folder) {
    (void)support::remove_tree(aside(folder)); // somebody may still write there
    for (const auto& path : {folder.trees, folder.headers, folder.work, folder.logs})
        KB_TRY(support::make_folder(path));
    bool swept = false;
    for (const auto& stage : {folder.stage, folder.root.parent_path() / "build/.kbuild-stage"}) {
        KB_TRY_ASSIGN(leftovers, support::list_names(stage));
        swept |= !leftovers.empty();
        KB_TRY(layout::sweep_stage(stage));
    }
    KB_TRY(mark_as_ours(folder));
    return swept;
}

support::Result<void> set_trees_aside(const WorkFolder& folder, const toolchain::HostTools& tools) {
    end_managers(folder.root / kTreesLock, tools);
    KB_TRY(support::make_folder(aside(folder)));
    KB_TRY_ASSIGN(place, support::TempDir::create(aside(folder), "trees-"));
    for (const auto* const part : kTreeParts)
        if (support::path_exists(folder.root / part))
            KB_TRY(support::rename_path(folder.root / part, place.path() / part));
    return {}; // and what was moved is deleted
}

support::Result<support::FileLock>
lock_trees(const WorkFolder& folder,
           std::chrono::milliseconds timeout,
           const std::function<void(const std::string& programs)>& on_wait) {
    const auto file = folder.root / kTreesLock;
    auto lock = support::FileLock::acquire(
        file, timeout, [&](const std::string&) { on_wait(programs_at(file)); });
    if (!lock && lock.error().kind == support::ErrorKind::lock)
        return support::fail(
            support::ErrorKind::lock,
            fmt::format("`{}` is still in use by {}, left by a build that was killed",
                        support::display_path(folder.root),
                        programs_at(file)),
            "end them, then build again");
    return lock;
}

bool is_ours(const fs::path& root) {
    const auto tag = support::read_file(root / "CACHEDIR.TAG", 4096);
    return tag && *tag == kTag;
}

} // namespace kbuild::build
