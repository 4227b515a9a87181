#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kbuild::support {

/// A file as it was; one that was not there has size -1.
struct FileState {
    std::filesystem::path path; ///< absolute
    std::int64_t size = -1;
    std::int64_t changed = 0; ///< modification time, nanoseconds since 1970
    /// When the kernel last saw it change, in its time or its content; nobody can set it.
    std::int64_t seen_changing = 0;
    std::uint64_t inode = 0;
    std::string sha256; ///< only of files that people edit: touching these changes nothing
    bool operator==(const FileState&) const = default;
};

/// How a file is now, without its content: what tells it from a changed one without reading it.
FileState state_of_file(const std::filesystem::path& path);

/// What tells a program from another one under the same name: the file behind its links, its size
/// and time.
std::string identity_of_program(const std::filesystem::path& program);

} // namespace kbuild::support
