#pragma once

#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::elf {

/// A symbol of the dynamic symbol table, with its version (`GLIBC_2.14`), if any.
struct Symbol {
    std::string name;
    std::string version;
    std::string version_library; ///< for an undefined one: the library that is to have the version
    bool defined = false;
    bool weak = false;
    bool unique = false;               ///< STB_GNU_UNIQUE
    bool object = false;               ///< data, not a function
    bool thread_local_storage = false; ///< STT_TLS (`object` is set as well)
    std::uint64_t size = 0;
    std::uint64_t value = 0; ///< the address, if it is defined
    auto operator<=>(const Symbol&) const = default;
};

/// A version that a library must have (.gnu.version_r), whether or not a symbol asks for it.
struct VersionNeed {
    std::string library; ///< `libc.so.6`
    std::string version; ///< `GLIBC_2.14`
    auto operator<=>(const VersionNeed&) const = default;
};

struct Section {
    std::string name;
    std::uint64_t offset = 0; ///< in the file
    std::uint64_t size = 0;
    std::uint64_t alignment = 0;
    bool in_file = true;       ///< false for .bss
    std::uint64_t address = 0; ///< in memory; 0 if it is not loaded
};

/// What kbuild wants to know of an ELF file; all lists sorted by name except sections (by file
/// order).
struct ElfFile {
    std::uint16_t machine = 0; ///< EM_X86_64, EM_AARCH64, EM_AMDGPU
    std::uint16_t type = 0;    ///< ET_DYN, ET_REL, …
    std::uint8_t os_abi = 0;
    std::uint8_t abi_version = 0;
    std::uint32_t flags = 0;
    std::string soname;
    std::vector<std::string> needed;    ///< in the file's order
    std::vector<std::string> run_paths; ///< DT_RPATH and DT_RUNPATH entries
    bool has_relr = false;              ///< DT_RELR: not loadable before glibc 2.36
    bool executable_stack = true;       ///< PT_GNU_STACK says so, or is not there
    bool relro = false;                 ///< PT_GNU_RELRO: read-only once it is relocated
    std::vector<VersionNeed> version_needs;
    std::vector<Symbol> symbols; ///< of .dynsym
    std::vector<Section> sections;

    const Section* section(std::string_view name) const;
};

/// Reads the file with libelf. An Error of kind `content` says why it cannot be read as ELF
/// (empty, truncated, 32-bit, no section table where one is needed, …).
support::Result<ElfFile> read_elf(const std::filesystem::path& path);

/// As above, for bytes in memory (a code object out of a bundle); `name` is for messages.
support::Result<ElfFile> read_elf_bytes(std::string_view bytes, const std::string& name);

/// The bytes of a section of the file at `path`.
support::Result<std::string> read_section(const std::filesystem::path& path,
                                          const Section& section);

} // namespace kbuild::elf
