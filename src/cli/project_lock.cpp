#include "project_lock.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

using support::Result;

constexpr std::chrono::minutes kPatience{5};

} // namespace

Result<support::FileLock> lock_project(const Context& context, const build::WorkFolder& folder) {
    auto lock = support::FileLock::acquire(
        folder.root / "lock", support::lock_timeout(kPatience), [&](const std::string& holder) {
            context.say(fmt::format(
                "waiting for {} to finish with `{}`", holder, support::display_path(folder.root)));
        });
    if (lock && !lock->enforced())
        context.say(fmt::format("warning: the file system of `{}` has no locks: do not run another "
                                "kbuild on this project meanwhile",
                                support::display_path(folder.root)));
    return lock;
}

Result<support::FileLock> lock_trees(const Context& context, const build::WorkFolder& folder) {
    return build::lock_trees(
        folder, support::lock_timeout(kPatience), [&](const std::string& programs) {
            context.say(fmt::format("waiting for {}, left by a build that was killed", programs));
        });
}

} // namespace kbuild::cli
