#pragma once

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::inspect {

/// What a library that registers operators says of them, as far as its strings tell.
struct RegisteredOps {
    std::string name_space;           ///< `torch.ops.<name>`
    std::vector<std::string> schemas; ///< as they were given to torch; sorted, each once
    std::string strings;              ///< the library's read-only data

    /// Whether the library may register `name`: some string of it is a schema of that name, or ends
    /// with the name (linkers keep a string once that is the end of another).
    bool may_register(std::string_view name) const;
};

/// None if the library registers no operators (host_code.hpp), or has more than 64 MiB of read-only
/// data.
support::Result<std::optional<RegisteredOps>> read_registered_ops(const std::filesystem::path& path,
                                                                  const elf::ElfFile& file);

/// Operator schemas among the strings in read-only data, as they were given to torch:
/// `relu(Tensor! out, Tensor input) -> ()`. By their shape alone (a name, balanced parentheses, an
/// arrow); sorted, each once.
std::vector<std::string> find_op_schemas(std::string_view data);

} // namespace kbuild::inspect
