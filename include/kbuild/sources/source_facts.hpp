#pragma once

#include "kbuild/sources/source_kind.hpp"
#include "kbuild/sources/source_tree.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::sources {

/// What a source needs, from its own includes, transitively through the project's files.
struct SourceFacts {
    bool torch = false;          ///< includes a torch, ATen or c10 header
    bool hip = false;            ///< includes a HIP or ROCm library header
    bool python = false;         ///< includes Python.h (registration.h does)
    bool extension_name = false; ///< uses TORCH_EXTENSION_NAME
};

/// Whether a header, as spelled, is one of torch, HIP or a ROCm library.
bool is_sdk_header(std::string_view name);

/// Facts of `source` and the project files it includes. Lexical: conditions are not evaluated, so a
/// header under an `#if` counts; that can only make a unit compile more often than needed, never
/// wrongly shared. `folders` (names of the tree) are searched after the including file's own.
SourceFacts
facts_of(SourceTree& tree, const std::string& source, const std::vector<std::string>& folders);

/// The same for one source on its own; paths are absolute.
SourceFacts scan_source(const std::filesystem::path& root,
                        const std::filesystem::path& source,
                        const std::vector<std::filesystem::path>& include_dirs);

} // namespace kbuild::sources
