#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace kbuild::elf {

/// Allows a look-up without a copy of the name.
struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
        return std::hash<std::string_view>()(name);
    }
};
using NameSet = std::unordered_set<std::string, NameHash, std::equal_to<>>;

/// Adds the names that an object file, or the members of a static library, share with others:
/// those they define and those they use. An Error of kind `content`: it is neither, or its code is
/// made by the linker (GCC's -flto) and the names it will use are not known.
support::Result<void> add_shared_names(const std::filesystem::path& path, NameSet& names);

} // namespace kbuild::elf
