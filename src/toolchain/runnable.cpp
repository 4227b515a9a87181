#include "runnable.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/toolchain/stub_library.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <string_view>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

bool is_elf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    char magic[4] = {};
    return in.read(magic, 4) && std::string_view(magic, 4) == "\x7f"
                                                              "ELF";
}

bool is_provided(const std::string& library, const std::vector<fs::path>& folders) {
    return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
        return support::path_exists(folder / library);
    });
}

std::vector<std::string> missing_libraries(const elf::ElfFile& file,
                                           const std::vector<fs::path>& folders) {
    std::vector<std::string> missing;
    for (const auto& library : file.needed)
        if (!is_provided(library, folders))
            missing.push_back(library);
    return missing;
}

bool all_in(const std::vector<std::string>& words, const std::vector<std::string>& list) {
    return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::find(list.begin(), list.end(), word) != list.end();
    });
}

/// What a library that satisfies these needs defines.
std::vector<elf::Symbol> defined(std::vector<elf::Symbol> symbols) {
    for (auto& symbol : symbols) {
        symbol.defined = true;
        symbol.weak = false;
        symbol.version_library.clear();
    }
    std::sort(symbols.begin(), symbols.end());
    symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
    return symbols;
}

} // namespace

bool is_link(const fs::path& path) {
    std::error_code code;
    return fs::is_symlink(path, code);
}

Result<std::vector<fs::path>> programs_in(const fs::path& folder) {
    KB_TRY_ASSIGN(names, support::list_names(folder));
    std::vector<fs::path> programs;
    for (const auto& name : names) {
        const auto path = folder / name;
        if (!is_link(path) && support::is_file(path) && is_elf(path))
            programs.push_back(path);
    }
    return programs;
}

Result<void> make_runnable(const std::vector<fs::path>& programs,
                           const fs::path& loader,
                           const std::string& run_path) {
    if (programs.empty())
        return {};
    std::vector<std::string> arguments{
        "--set-interpreter", loader.string(), "--force-rpath", "--set-rpath", run_path};
    for (const auto& program : programs)
        arguments.push_back(program.string());
    KB_TRY(process::run_ok({"patchelf", arguments, {}, process::clean_environment()},
                           ErrorKind::toolchain));
    return {};
}

Result<void> settle_needs(const std::vector<fs::path>& programs,
                          const std::vector<fs::path>& library_dirs,
                          const std::vector<std::string>& stand_ins) {
    std::map<std::string, std::vector<elf::Symbol>> wanted;
    for (const auto& program : programs) {
        KB_TRY_ASSIGN(file, elf::read_elf(program));
        const auto missing = missing_libraries(file, library_dirs);
        if (!all_in(missing, stand_ins)) {
            KB_TRY(support::remove_tree(program));
            continue;
        }
        for (const auto& library : missing)
            for (const auto& symbol : file.symbols)
                if (!symbol.defined && symbol.version_library == library)
                    wanted[library].push_back(symbol);
    }
    for (auto& [library, symbols] : wanted)
        KB_TRY(make_stub_library(
            library_dirs.front() / library, library, defined(std::move(symbols))));
    return {};
}

} // namespace kbuild::toolchain
