#include "kbuild/build/configure.hpp"

#include "configure_seed.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/file_state.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <chrono>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using generate::Tree;
using support::ErrorKind;
using support::Result;

/// Of a program's output in an error, in bytes; the log has all of it.
constexpr std::size_t kShownOutput = 20'000;

/// Writes the tree's project; whether anything in it is new.
Result<bool> write_project(const Tree& tree, const fs::path& folder) {
    bool changed = false;
    for (const auto& [name, text] : generate::tree_files(tree)) {
        KB_TRY_ASSIGN(written, support::write_file_if_changed(folder / name, text));
        if (written && text.starts_with("#!"))
            fs::permissions(folder / name, fs::perms::owner_all, fs::perm_options::add);
        changed |= written;
    }
    return changed;
}

/// Which compilers a build folder was configured with; another set cannot be configured on top of
/// it.
std::string toolchain_key(const Tree& tree, const toolchain::HostTools& tools) {
    return fmt::format("{}\n{}\n{}\n", tree.fingerprint, tree.cxx, tools.cmake.string());
}

/// All that CMake's checks of the compilers look at.
std::string seed_key(const Tree& tree, const toolchain::HostTools& tools) {
    std::string key = tree.name + "\n" + toolchain_key(tree, tools);
    for (const auto& program : {fs::path(tree.cxx), tools.cmake, tools.ninja})
        key += support::identity_of_program(program) + "\n";
    if (tree.hip)
        key += tree.hip->rocm_root + "\n" + tree.hip->clang + "\n" + tree.hip->first_arch;
    return key;
}

process::Command cmake_command(const Tree& tree,
                               const fs::path& source,
                               const fs::path& build,
                               const toolchain::HostTools& tools) {
    process::Command command;
    command.program = tools.cmake;
    command.arguments = {"-G",
                         "Ninja",
                         "-S",
                         source.string(),
                         "-B",
                         build.string(),
                         "-DCMAKE_BUILD_TYPE=Release",
                         "-DCMAKE_MAKE_PROGRAM=" + tools.ninja.string(),
                         // Lets one build.ninja include the files of all trees (cmake.md 2).
                         fmt::format("-DCMAKE_NINJA_OUTPUT_PATH_PREFIX={}/", tree.name)};
    command.environment = process::clean_environment();
    if (tree.hip)
        command.environment["ROCM_PATH"] = tree.hip->rocm_root;
    return command;
}

/// `name` of `  DEP_FILE = "name"`; backslashes stand before what a shell would expand.
std::string unquoted(std::string_view line) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"')
            continue;
        if (line[i] == '\\' && i + 1 < line.size())
            ++i;
        text += line[i];
    }
    return text;
}

/// CMake 3.25 quotes names of dependency files as for a shell, and Ninja, which opens them, then
/// finds none: what they tell would be lost, and with it every change of a header.
Result<void> unquote_dependency_files(const fs::path& build) {
    KB_TRY_ASSIGN(text, support::read_file(build / "build.ninja"));
    auto lines = support::split(text, '\n');
    for (auto& line : lines)
        if (line.starts_with("  DEP_FILE = \""))
            line = unquoted(line);
    KB_TRY(support::write_file_if_changed(build / "build.ninja", support::join(lines, "\n")));
    return {};
}

Result<void> run_cmake(const Tree& tree,
                       const WorkFolder& folder,
                       const toolchain::HostTools& tools,
                       const std::function<void()>& on_tick,
                       std::vector<std::string>& warnings) {
    const auto source = folder.trees / tree.name;
    const auto build = folder.work / tree.name;
    const auto stamp = build / "kbuild-toolchain";
    const auto key = toolchain_key(tree, tools);
    const auto seed = configure_seed(seed_key(tree, tools));
    bool seeded = false;
    if (const auto old = support::read_file(stamp); !old || *old != key) {
        KB_TRY(support::remove_tree(build));
        // A cache that cannot be used is as good as none.
        seeded = plant(seed, source, build).value_or(false);
    }
    auto command = cmake_command(tree, source, build, tools);
    command.inherited_lock = folder.lock;
    const auto log = folder.logs / fmt::format("configure-{}.log", tree.name);
    process::RunOptions how;
    how.merge_stderr = true;
    if (on_tick)
        how.on_tick = [&on_tick](int) { on_tick(); };
    KB_TRY_ASSIGN(output, process::run(command, how));
    if (seeded && !output.status.ok()) {
        KB_TRY(support::remove_tree(build));
        KB_TRY_ASSIGN(again, process::run(command, how));
        output = std::move(again);
    }
    if (output.status.ok() && !seeded)
        (void)keep(seed, source, build);
    if (const auto logged =
            support::write_file_atomically(log, command.display() + "\n" + output.out);
        !logged)
        warnings.push_back(logged.error().message);
    if (!output.status.ok()) {
        // A half-made folder would make the next run believe that it is configured.
        KB_TRY(support::remove_tree(build));
        return support::fail(ErrorKind::toolchain,
                             fmt::format("CMake could not configure the {} tree ({})\n{}",
                                         tree.name,
                                         output.status.describe(),
                                         support::end_of(output.out, kShownOutput)),
                             fmt::format("the log is `{}`", support::display_path(log)));
    }
    KB_TRY(unquote_dependency_files(build));
    return support::write_file_atomically(stamp, key);
}

} // namespace

Result<Configured> configure(const std::vector<Tree>& trees,
                             const WorkFolder& folder,
                             const toolchain::HostTools& tools,
                             const std::function<void()>& on_tick) {
    const auto start = std::chrono::steady_clock::now();
    KB_TRY(support::write_file_if_changed(folder.headers / "registration.h",
                                          generate::registration_header()));
    Configured result;
    for (const auto& tree : trees) {
        // Seen as changed until CMake has succeeded: a run killed in between must not be taken as
        // done.
        const auto pending = folder.trees / (tree.name + ".pending");
        KB_TRY_ASSIGN(changed, write_project(tree, folder.trees / tree.name));
        const bool configured = support::is_file(folder.work / tree.name / "kbuild-toolchain") &&
                                !support::path_exists(pending);
        if (!changed && configured)
            continue;
        KB_TRY(support::write_file_atomically(pending, ""));
        KB_TRY(run_cmake(tree, folder, tools, on_tick, result.warnings));
        KB_TRY(support::remove_tree(pending));
        result.trees.push_back(tree.name);
    }
    KB_TRY(support::write_file_if_changed(folder.work / "build.ninja",
                                          generate::supervisor_ninja(trees, folder.work)));
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

} // namespace kbuild::build
