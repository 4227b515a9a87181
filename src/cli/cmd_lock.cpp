#include "commands.hpp"
#include "hub_session.hpp"

#include "kbuild/config/kernel_dependencies.hpp"
#include "kbuild/publish/lock.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <memory>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

struct LockOptions {
    std::string dir = ".";
    bool check = false;
};

Result<std::vector<publish::LockedDependency>> requirements(const Context& context,
                                                            const LockOptions& options) {
    diag::Collector findings;
    const auto read = config::read_kernel_requirements(options.dir, findings);
    context.show(findings);
    if (!read)
        return tl::unexpected(read.error());
    std::vector<publish::LockedDependency> dependencies;
    for (const auto& requirement : *read)
        dependencies.push_back({requirement.repo_id, requirement.version, {}});
    return dependencies;
}

/// Compares the file with what the branches are at now.
Result<int>
check_lock(const Context& context, const fs::path& file, const publish::KernelLocks& now) {
    KB_TRY_ASSIGN(text, support::read_file(file, std::uintmax_t{16} << 20U));
    KB_TRY_ASSIGN(written, publish::read_lock(text));
    const auto differences = publish::compare_locks(written, now);
    for (const auto& difference : differences)
        context.data(difference + "\n");
    return differences.empty() ? 0 : support::exit_code(ErrorKind::failed);
}

Result<int> run_lock(const Context& context, const LockOptions& options) {
    KB_TRY_ASSIGN(dependencies, requirements(context, options));
    KB_TRY_ASSIGN(session, HubSession::open(context));
    KB_TRY_ASSIGN(locks, publish::make_lock(session.connection(), dependencies));
    const auto file = fs::path(options.dir) / "kernels.lock";
    if (options.check)
        return check_lock(context, file, locks);
    KB_TRY_ASSIGN(changed, support::write_file_if_changed(file, publish::write_lock(locks)));
    context.say(fmt::format("`{}`: {}{}",
                            support::display_path(file),
                            support::plural(locks.size(), "kernel"),
                            changed ? "" : ", unchanged"));
    return 0;
}

} // namespace

Command lock_command() {
    return {"lock",
            "write kernels.lock for the kernels that a Python project loads",
            {},
            [](Options& app) {
                const auto options = std::make_shared<LockOptions>();
                app.value(options->dir, {.names = "DIR", .help = "a folder with pyproject.toml"});
                app.flag(options->check, {.names = "--check", .help = "compare, do not write"});
                return [options](Context& context) { return run_lock(context, *options); };
            }};
}

} // namespace kbuild::cli
