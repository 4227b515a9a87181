#include "configure_seed.hpp"

#include "kbuild/build/configure.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <unistd.h>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using support::Result;

constexpr const char* kCache = "CMakeCache.txt";
// Stand for the folders of the project. CMake compares them with where it runs.
constexpr const char* kSourceMark = "@kbuild-source@";
constexpr const char* kBuildMark = "@kbuild-build@";

/// `CMakeFiles/<version>/CMake….cmake` of a build folder: what CMake knows of its compilers.
Result<std::vector<fs::path>> compiler_files(const fs::path& build) {
    std::vector<fs::path> files;
    KB_TRY_ASSIGN(folders, support::list_names(build / "CMakeFiles"));
    for (const auto& folder : folders) {
        if (!support::is_file(build / "CMakeFiles" / folder / "CMakeSystem.cmake"))
            continue;
        KB_TRY_ASSIGN(names, support::list_names(build / "CMakeFiles" / folder));
        for (const auto& name : names)
            if (name.starts_with("CMake") && name.ends_with(".cmake"))
                files.push_back(fs::path("CMakeFiles") / folder / name);
    }
    return files;
}

Result<void> write_seed(const fs::path& folder, const fs::path& source, const fs::path& build) {
    KB_TRY_ASSIGN(files, compiler_files(build));
    for (const auto& file : files) {
        KB_TRY_ASSIGN(text, support::read_file(build / file));
        KB_TRY(support::write_file_atomically(folder / file, text));
    }
    KB_TRY_ASSIGN(cache, support::read_file(build / kCache));
    cache = support::replace_all(std::move(cache), build.string(), kBuildMark);
    cache = support::replace_all(std::move(cache), source.string(), kSourceMark);
    return support::write_file_atomically(folder / kCache, cache);
}

} // namespace

fs::path remembered_configures() {
    return support::cache_home() / "configured";
}

ConfigureSeed configure_seed(const std::string& key) {
    return {remembered_configures() / support::Fingerprint().add("seed", key).hex().substr(0, 32)};
}

Result<bool> plant(const ConfigureSeed& seed, const fs::path& source, const fs::path& build) {
    auto cache = support::read_file(seed.folder / kCache);
    if (!cache)
        return false;
    KB_TRY_ASSIGN(files, compiler_files(seed.folder));
    for (const auto& file : files) {
        KB_TRY_ASSIGN(text, support::read_file(seed.folder / file));
        KB_TRY(support::write_file_atomically(build / file, text));
    }
    auto text = support::replace_all(std::move(*cache), kBuildMark, build.string());
    text = support::replace_all(std::move(text), kSourceMark, source.string());
    KB_TRY(support::write_file_atomically(build / kCache, text));
    return true;
}

Result<void> keep(const ConfigureSeed& seed, const fs::path& source, const fs::path& build) {
    if (support::is_file(seed.folder / kCache))
        return {};
    // Whole or not at all: another build may look for it now.
    const fs::path making = seed.folder.string() + "." + std::to_string(::getpid());
    KB_TRY(support::remove_tree(making));
    KB_TRY(write_seed(making, source, build));
    std::error_code taken;
    fs::rename(making, seed.folder, taken);
    return taken ? support::remove_tree(making) : Result<void>();
}

} // namespace kbuild::build
