#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::verify {

/// How two libraries differ, section by section: `.text: 1200 bytes, were 1192`, `.rodata: other
/// bytes from 0x40`, `.comment: only in the new one`; sorted by the section's name. What lies
/// outside of the sections (headers) is one line. Empty: the files are equal, byte by byte.
support::Result<std::vector<std::string>> compare_libraries(const std::filesystem::path& old_one,
                                                            const std::filesystem::path& new_one);

} // namespace kbuild::verify
