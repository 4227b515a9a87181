#pragma once

#include <filesystem>

namespace kbuild::elf {

/// Whether a file is called as shared libraries are: `_ops.abi3.so`, `libz.so.1`.
bool is_library_name(const std::filesystem::path& file);

} // namespace kbuild::elf
