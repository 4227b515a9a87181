#include "kbuild/support/tree_swap.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

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

bool works_otherwise(int errno_value) {
    return errno_value == EINVAL || errno_value == ENOSYS;
}

/// Both on one file system.
Result<void> exchange_or_rename(const fs::path& staged, const fs::path& target) {
    if (!path_exists(target))
        return rename_path(staged, target);
    if (::renameat2(AT_FDCWD, staged.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0)
        return remove_tree(staged);
    if (works_otherwise(errno))
        return replace_in_two_steps(staged, target);
    return tl::unexpected(
        errno_error(fmt::format("cannot publish `{}`", display_path(target)), errno));
}

bool can_rename_into(const fs::path& staged, const fs::path& folder) {
    // Asked by a rename that never succeeds: the new name is the folder itself, seen from inside.
    return ::rename(staged.c_str(), (folder / ".").c_str()) == 0 || errno != EXDEV;
}

/// Where a rename cannot reach (another mount, a layer of an overlay) the files are copied beside
/// the target first.
Result<void> publish_copy(const fs::path& staged, const fs::path& target) {
    const auto folder = target.parent_path() / ".kbuild-stage";
    KB_TRY_ASSIGN(beside, TempDir::create(folder, target.filename().string() + "."));
    std::error_code code;
    fs::copy(staged,
             beside.path(),
             fs::copy_options::recursive | fs::copy_options::copy_symlinks |
                 fs::copy_options::overwrite_existing,
             code);
    if (code)
        return tl::unexpected(errno_error(
            fmt::format("cannot copy `{}` beside `{}`", display_path(staged), display_path(target)),
            code.value()));
    fs::permissions(beside.path(), fs::status(staged, code).permissions(), code);
    KB_TRY(exchange_or_rename(beside.path(), target));
    fs::remove(folder, code); // if it is empty now
    return remove_tree(staged);
}

} // namespace

Result<void> publish_folder(const fs::path& staged, const fs::path& target) {
    KB_TRY(make_folder(target.parent_path()));
    if (!can_rename_into(staged, target.parent_path()))
        return publish_copy(staged, target);
    return exchange_or_rename(staged, target);
}

} // namespace kbuild::support
