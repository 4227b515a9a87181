#include "inspect_files.hpp"

#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/publish/wheel.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

tl::unexpected<support::Error> no_library_in(const fs::path& path) {
    return support::fail(
        ErrorKind::nothing,
        fmt::format("there is no library (`*.so`) in `{}`", support::display_path(path)));
}

/// Libraries of a folder: those of its variants (or of the variants of its build/), else all below
/// it.
Result<std::vector<fs::path>> libraries_of(const fs::path& folder) {
    std::vector<fs::path> roots = {folder};
    if (const auto variants = layout::discover_folders(folder))
        roots = *variants;
    std::vector<fs::path> libraries;
    for (const auto& root : roots) {
        KB_TRY_ASSIGN(files, support::list_files(root));
        for (const auto& file : files)
            if (file.extension() == ".so")
                libraries.push_back(root / file);
    }
    if (libraries.empty())
        return no_library_in(folder);
    return libraries;
}

Result<void> add_wheel(const fs::path& wheel, InspectedFiles& all) {
    KB_TRY_ASSIGN(folder, support::TempDir::create_temporary("kbuild-wheel-"));
    KB_TRY_ASSIGN(libraries, publish::unpack_libraries(wheel, folder.path()));
    if (libraries.empty())
        return no_library_in(wheel);
    for (const auto& library : libraries)
        all.files.push_back({library, wheel / library.lexically_relative(folder.path())});
    all.unpacked.push_back(std::move(folder));
    return {};
}

Result<void> add(const fs::path& path, InspectedFiles& all) {
    // A link to nothing is there, and is a file that cannot be read.
    std::error_code code;
    if (!support::path_exists(path) && !fs::is_symlink(path, code))
        return support::fail(ErrorKind::nothing,
                             fmt::format("there is no file or folder `{}`", path.string()));
    if (support::is_file(path) && path.extension() == ".whl")
        return add_wheel(path, all);
    std::vector<fs::path> files = {path};
    if (support::is_folder(path)) {
        KB_TRY_ASSIGN(libraries, libraries_of(path));
        files = std::move(libraries);
    }
    for (const auto& file : files)
        all.files.push_back({file, file});
    return {};
}

} // namespace

Result<InspectedFiles> find_inspected_files(const std::vector<std::string>& paths) {
    InspectedFiles all;
    for (const auto& text : paths)
        KB_TRY(add(fs::path(text).lexically_normal(), all));
    return all;
}

Result<inspect::FileReport> inspect_shown(const InspectedFile& file) {
    auto report = inspect::inspect_file(file.path);
    if (report) {
        report->path = file.shown;
        return report;
    }
    auto error = std::move(report.error());
    error.message = support::replace_all(
        std::move(error.message), file.path.string(), support::display_path(file.shown));
    return tl::unexpected(std::move(error));
}

} // namespace kbuild::cli
