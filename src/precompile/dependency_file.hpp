#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace kbuild::precompile {

/// What a target depends on, as compilers write it for make: blanks, `#` and `\` escaped by `\`,
/// `$` doubled, lines continued. In the file's order.
std::vector<std::filesystem::path> read_dependencies(std::string_view text);

} // namespace kbuild::precompile
