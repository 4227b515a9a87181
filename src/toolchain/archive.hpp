#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// The fetched files of an SDK in a folder of their own, from which it can be made again: offline,
/// and when no mirror has them any more.
namespace kbuild::toolchain {

struct ArchivedFile {
    std::string role; ///< what the recipe uses it for: `compiler`, `parts`, `link_only`, `wheel`
    std::string name; ///< package or file name
    std::string version;
    std::string sha256;
    std::string file; ///< its name in the folder
};

struct SdkArchive {
    std::string sdk;            ///< `rocm@6.4`
    std::string source;         ///< `Debian forky`
    std::string compiler_major; ///< of a ROCm
    std::vector<ArchivedFile> files;
};

/// Copies `paths`, which are those of `archive.files`, into `folder`; the description is written
/// last.
support::Result<void> save_archive(const std::filesystem::path& folder,
                                   const SdkArchive& archive,
                                   const std::vector<std::filesystem::path>& paths);

/// Reads and checks an archive: each file is there with the SHA-256 of the description. Errors of
/// kind `toolchain` name the folder or the file.
support::Result<SdkArchive> open_archive(const std::filesystem::path& folder,
                                         const std::string& sdk);

} // namespace kbuild::toolchain
