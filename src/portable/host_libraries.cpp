#include "host_libraries.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::portable {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

/// gcc and clang both print a line `libraries: =<folder>:<folder>…`.
Result<std::vector<fs::path>> search_folders(const fs::path& cxx) {
    constexpr std::string_view kLine = "libraries: =";
    KB_TRY_ASSIGN(output,
                  process::run_ok({cxx, {"-print-search-dirs"}, {}, process::clean_environment()},
                                  ErrorKind::toolchain));
    std::vector<fs::path> folders;
    for (const auto& line : support::split(output.out, '\n'))
        if (line.starts_with(kLine))
            for (const auto& folder : support::split(line.substr(kLine.size()), ':'))
                folders.emplace_back(folder);
    return folders;
}

Result<fs::path>
find_library(const std::vector<fs::path>& folders, const std::string& name, const fs::path& cxx) {
    for (const auto& folder : folders)
        if (support::is_file(folder / name))
            return fs::weakly_canonical(folder / name);
    return support::fail(
        ErrorKind::toolchain,
        fmt::format("`{}` has no `{}`, which portable libraries are made from", cxx.string(), name),
        "install the compiler's development packages (`apt-get install g++`), or set `[build] "
        "policy = "
        "\"none\"` in kbuild.toml");
}

} // namespace

std::string dynamic_loader() {
#if defined(__aarch64__)
    return "ld-linux-aarch64.so.1";
#else
    return "ld-linux-x86-64.so.2";
#endif
}

std::vector<std::string> stub_sonames() {
    return {kLibc,
            "libm.so.6",
            "libpthread.so.0",
            "libdl.so.2",
            "librt.so.1",
            "libutil.so.1",
            dynamic_loader(),
            kLibgcc,
            kLibstdcxx};
}

std::vector<fs::path> HostLibraries::files() const {
    std::vector<fs::path> all;
    for (const auto& [soname, path] : shared)
        all.push_back(path);
    all.push_back(libstdcxx_archive);
    return all;
}

Result<HostLibraries> find_host_libraries(const fs::path& cxx) {
    KB_TRY_ASSIGN(folders, search_folders(cxx));
    HostLibraries libraries;
    for (const auto& soname : stub_sonames()) {
        KB_TRY_ASSIGN(path, find_library(folders, soname, cxx));
        libraries.shared[soname] = path;
    }
    KB_TRY_ASSIGN(archive, find_library(folders, "libstdc++.a", cxx));
    libraries.libstdcxx_archive = archive;
    return libraries;
}

} // namespace kbuild::portable
