#pragma once

#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::support {

namespace fs = std::filesystem;

/// The whole file as bytes. Fails on anything but a regular file and above `limit` bytes.
Result<std::string> read_file(const fs::path& path, std::uintmax_t limit = 1ULL << 32);

/// Writes `text` to a temporary file beside `path` and renames it over `path`: readers see old or
/// new. Parent folders are created. `mode` is what a new file gets (an existing file keeps its
/// own).
Result<void> write_file_atomically(const fs::path& path, std::string_view text, int mode = 0644);

/// As write_file_atomically, but leaves an existing file with the same bytes (and its time) alone.
/// Returns whether something was written.
Result<bool> write_file_if_changed(const fs::path& path, std::string_view text);

/// Regular files below `root`, relative to it, sorted; links are not followed. Empty if there is no
/// such folder.
Result<std::vector<fs::path>> list_files(const fs::path& root);

/// Names directly in `folder`, sorted. Empty if there is no such folder.
Result<std::vector<std::string>> list_names(const fs::path& folder);

Result<void> make_folder(const fs::path& path);
Result<void> copy_to(const fs::path& from, const fs::path& to);
Result<void> rename_path(const fs::path& from, const fs::path& to);

/// Removes a file or a tree without following links; nothing there is fine.
Result<void> remove_tree(const fs::path& path);

bool path_exists(const fs::path& path);
bool is_file(const fs::path& path);
bool is_folder(const fs::path& path);
std::uintmax_t size_of_file(const fs::path& path); ///< 0 if it cannot be told

/// `path` relative to the current folder if that is shorter, for messages.
std::string display_path(const fs::path& path);

} // namespace kbuild::support
