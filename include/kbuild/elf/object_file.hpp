#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::elf {

/// A file of an `ar` archive.
struct Member {
    std::string name;
    std::string bytes;
};

/// The members of a static library, in its order.
support::Result<std::vector<Member>> read_archive(const std::filesystem::path& path);

/// A symbol of an object file that other objects see.
struct ObjectSymbol {
    std::string name;
    bool defined = false;
    /// A strong definition of data that can be written to while the program runs.
    bool state = false;
    auto operator<=>(const ObjectSymbol&) const = default;
};

/// Of an object file (ET_REL); sorted by name. `name` is for messages.
support::Result<std::vector<ObjectSymbol>> read_object_symbols(std::string_view bytes,
                                                               const std::string& name);

/// The static variables of an object file that can be written to while the program runs, of files
/// and of functions (`_ZZN…`, their guards `_ZGVZN…`); sorted.
support::Result<std::vector<std::string>> read_local_state(std::string_view bytes,
                                                           const std::string& name);

/// What becomes of a symbol when an object is prepared for linking into a library.
enum class Visibility {
    unchanged,
    undefined, ///< the definition is not used: another library's is
    hidden     ///< STV_HIDDEN: no other library sees it; STB_GNU_UNIQUE becomes weak
};

/// Changes the symbols of an object file in place; its size and sections stay.
support::Result<void>
change_visibility(std::string& bytes,
                  const std::string& name,
                  const std::function<Visibility(const ObjectSymbol&)>& choose);

} // namespace kbuild::elf
