#pragma once

#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kbuild::publish {

/// What a content is called: by LFS (SHA-256) and by git (SHA-1 of a header and the content).
struct FileIds {
    std::uint64_t size = 0;
    std::string sha256;
    std::string blob_id; ///< empty above kMaxRegular
};

FileIds text_ids(std::string_view text);
/// Reads the file once, a piece at a time.
support::Result<FileIds> file_ids(const std::filesystem::path& path);

/// The pointer that stands for an LFS object in git
/// (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md).
std::string lfs_pointer(std::string_view sha256, std::uint64_t size);

} // namespace kbuild::publish
