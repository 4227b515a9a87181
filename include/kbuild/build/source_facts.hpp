#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::build {

/// What a source file is, by its name.
enum class SourceKind { device, host, header, other };

SourceKind source_kind(std::string_view path);

/// What a source needs, from its own includes, transitively through the project's files.
struct SourceFacts {
    bool torch = false;          ///< includes a torch, ATen or c10 header
    bool hip = false;            ///< includes a HIP or ROCm library header
    bool python = false;         ///< includes Python.h (registration.h does)
    bool extension_name = false; ///< uses TORCH_EXTENSION_NAME
};

/// Reads `source` and the project files it includes. Lexical: conditions are not evaluated, so a
/// header under an `#if` counts; that can only make a unit compile more often than needed, never
/// wrongly shared. `include_dirs` are searched after the including file's own folder. Files outside
/// `root` are not read.
SourceFacts scan_source(const std::filesystem::path& root,
                        const std::filesystem::path& source,
                        const std::vector<std::filesystem::path>& include_dirs);

} // namespace kbuild::build
