#pragma once

#include <span>
#include <string_view>

/// Files that are compiled into the executable (cmake/EmbedFiles.cmake); each table is sorted by
/// name.
namespace kbuild::support::embedded {

struct File {
    std::string_view name; ///< path relative to the embedded folder, with `/`
    std::string_view text;
};

std::span<const File> templates(); ///< templates/
std::span<const File> data();      ///< data/
std::span<const File> examples();  ///< examples/, without what builds leave there

/// The file called `name` in `files`; an empty text if there is none.
std::string_view find(std::span<const File> files, std::string_view name);

} // namespace kbuild::support::embedded
