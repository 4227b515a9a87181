#include "runnable.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

bool is_elf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    char magic[4] = {};
    return in.read(magic, 4) && std::string_view(magic, 4) == "\x7f" "ELF";
}

Result<void> patch(const std::vector<std::string>& options, const std::vector<fs::path>& files) {
    auto arguments = options;
    for (const auto& file : files)
        arguments.push_back(file.string());
    auto result = process::run_ok({"patchelf", arguments, {}, process::clean_environment()},
                                  ErrorKind::toolchain);
    if (!result) {
        if (result.error().hint.empty())
            result.error().hint = "apt-get install patchelf";
        return tl::unexpected(std::move(result.error()));
    }
    return {};
}

bool is_provided(const std::string& library, const std::vector<fs::path>& folders) {
    return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
        return support::path_exists(folder / library);
    });
}

}  // namespace

Result<std::vector<fs::path>> programs_in(const fs::path& folder) {
    KB_TRY_ASSIGN(names, support::list_names(folder));
    std::vector<fs::path> programs;
    for (const auto& name : names) {
        const auto path = folder / name;
        if (!fs::is_symlink(path) && support::is_file(path) && is_elf(path))
            programs.push_back(path);
    }
    return programs;
}

Result<void> make_runnable(const std::vector<fs::path>& programs,
                           const fs::path& loader,
                           const std::string& run_path) {
    if (programs.empty())
        return {};
    return patch({"--set-interpreter", loader.string(), "--force-rpath", "--set-rpath", run_path},
                 programs);
}

Result<void> drop_unresolved(const std::vector<fs::path>& programs,
                             const std::vector<fs::path>& library_dirs,
                             const std::vector<std::string>& optional) {
    for (const auto& program : programs) {
        KB_TRY_ASSIGN(file, elf::read_elf(program));
        for (const auto& library : file.needed) {
            if (is_provided(library, library_dirs))
                continue;
            if (std::find(optional.begin(), optional.end(), library) == optional.end()) {
                KB_TRY(support::remove_tree(program));
                break;
            }
            KB_TRY(patch({"--remove-needed", library}, {program}));
        }
    }
    return {};
}

}  // namespace kbuild::toolchain
