#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string_view>

namespace kbuild::generate {

/// Whether CMake and Ninja can name a source or library so. They take a backslash for a slash, a
/// bar and a dollar sign for parts of Ninja's syntax (CMake 3.25 does not escape them in the name
/// of an object's dependency file), and have no way to write a line break; everything else is
/// theirs to quote.
bool is_path_for_cmake(std::string_view path);

/// Whether Ninja 1.11 takes the path apart when it reads it in a compiler's dependency file. It
/// then misses a file that never was there, and makes the object again whenever it runs.
bool is_misread_by_ninja(std::string_view path);

/// Reports listed files with other names (K0151) and flags with a line break (K0152).
void check_writable(const config::BuildConfig& config, diag::Sink& sink);

/// An Error of kind `usage` if CMake cannot work in the folder: its path may hold no `;` and
/// no `"` and no
/// single bracket either.
support::Result<void> check_project_folder(const std::filesystem::path& folder);

} // namespace kbuild::generate
