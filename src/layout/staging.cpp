#include "kbuild/layout/staging.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/tree_swap.hpp"

#include <fmt/format.h>

#include <optional>
#include <sys/stat.h>
#include <system_error>

namespace kbuild::layout {
namespace {

namespace fs = std::filesystem;
using support::Result;

constexpr auto kReadableForAll = fs::perms::owner_all | fs::perms::group_read |
                                 fs::perms::group_exec | fs::perms::others_read |
                                 fs::perms::others_exec;

std::optional<dev_t> device_of(const fs::path& path) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0)
        return std::nullopt;
    return info.st_dev;
}

} // namespace

fs::path stage_root(const fs::path& project, const fs::path& build_dir) {
    const auto build_device = device_of(build_dir);
    if (build_device && build_device != device_of(project))
        return build_dir / ".kbuild-stage";
    return project / ".kbuild" / "stage";
}

Result<support::TempDir> stage_folder(const fs::path& stage_root, std::string_view variant_name) {
    return support::TempDir::create(stage_root, fmt::format("{}.", variant_name));
}

Result<void> publish(support::TempDir staged, const fs::path& target) {
    // Temporary folders are private to their owner; what is published need not be.
    std::error_code code;
    fs::permissions(staged.path(), kReadableForAll, code);
    if (code)
        return support::fail(support::ErrorKind::failed,
                             fmt::format("cannot open `{}` to others: {}",
                                         support::display_path(staged.path()),
                                         code.message()));
    return support::publish_folder(staged.path(), target);
}

Result<void> sweep_stage(const fs::path& stage_root) {
    return support::remove_tree(stage_root);
}

} // namespace kbuild::layout
