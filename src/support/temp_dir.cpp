#include "kbuild/support/temp_dir.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace kbuild::support {

Result<TempDir> TempDir::create(const fs::path& parent, std::string_view prefix) {
    KB_TRY(make_folder(parent));
    std::string name = (parent / (std::string(prefix) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
        return tl::unexpected(errno_error(
            fmt::format("cannot create a folder in `{}`", display_path(parent)), errno));
    return TempDir(fs::path(name));
}

Result<TempDir> TempDir::create_temporary(std::string_view prefix) {
    std::error_code failed;
    const auto folder = std::filesystem::temp_directory_path(failed);
    if (failed) // an empty path would be the current folder
        return fail(ErrorKind::failed,
                    "there is no folder for temporary files: " + failed.message(),
                    "set TMPDIR to a folder that is there");
    return create(folder, prefix);
}

TempDir::TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
}

TempDir::~TempDir() {
    if (path_.empty())
        return;
    // Nobody can be told in a destructor; a leftover is swept by the next run.
    static_cast<void>(remove_tree(path_));
}

fs::path TempDir::keep() {
    return std::exchange(path_, {});
}

} // namespace kbuild::support
