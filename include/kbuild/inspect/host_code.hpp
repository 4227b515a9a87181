#pragma once

#include "kbuild/elf/elf_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kbuild::inspect {

/// What a host library says of itself; lists sorted unless said otherwise.
struct HostCode {
    struct NeededVersion {
        std::string library; ///< `libc.so.6`
        std::string version; ///< `GLIBC_2.34`
        auto operator<=>(const NeededVersion&) const = default;
    };
    struct SectionSize {
        std::string name;
        std::uint64_t bytes = 0; ///< also those of .bss, which take no place in the file
        bool operator==(const SectionSize&) const = default;
    };
    std::string soname;
    std::vector<std::string> needed;    ///< in the file's order
    std::vector<std::string> run_paths; ///< DT_RPATH and DT_RUNPATH, in the file's order
    std::vector<NeededVersion> versions;
    std::vector<std::string> exported; ///< defined symbols that others can see, mangled
    std::vector<std::string> unique;   ///< of these STB_GNU_UNIQUE ones: a second copy shares them
    std::string python_module;         ///< what `PyInit_…` initializes; empty for no Python module
    /// Name space of the operators, `torch.ops.<name>`: of a Python module that registers operators
    /// its own name (upstream.md 3.7); empty for others.
    std::string op_namespace;
    /// Schemas of these operators, as the library has them among its strings; sorted.
    std::vector<std::string> op_schemas;
    std::vector<SectionSize> sections; ///< in the file's order
};

/// All but the schemas, which are read by inspect_file().
HostCode host_code(const elf::ElfFile& file);

} // namespace kbuild::inspect
