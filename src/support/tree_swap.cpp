#include "kbuild/support/tree_swap.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace kbuild::support {
namespace {

/// For file systems without RENAME_EXCHANGE: there is an instant without a target, but never half
/// of one.
Result<void> replace_in_two_steps(const fs::path& staged, const fs::path& target) {
    const fs::path old = target.string() + fmt::format(".old-{}", ::getpid());
    KB_TRY(rename_path(target, old));
    if (auto moved = rename_path(staged, target); !moved) {
        KB_TRY(rename_path(old, target));
        return moved;
    }
    return remove_tree(old);
}

} // namespace

Result<void> publish_folder(const fs::path& staged, const fs::path& target) {
    KB_TRY(make_folder(target.parent_path()));
    if (!path_exists(target))
        return rename_path(staged, target);
    if (::renameat2(AT_FDCWD, staged.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0)
        return remove_tree(staged);
    if (errno == EINVAL || errno == ENOSYS)
        return replace_in_two_steps(staged, target);
    return tl::unexpected(
        errno_error(fmt::format("cannot publish `{}`", display_path(target)), errno));
}

} // namespace kbuild::support
