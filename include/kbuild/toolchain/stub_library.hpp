#pragma once

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::toolchain {

/// The names that a library defines for others: sorted, each once, without versions; the kind of a
/// name (function, data, thread-local) is kept, since linkers check it.
std::vector<elf::Symbol> exported_symbols(const elf::ElfFile& file);

/// Assembler text that defines the symbols; a function stops the program that calls it.
std::string stub_assembly(const std::vector<elf::Symbol>& symbols);

/// Makes a shared library that has the SONAME and the names (with their versions, where they have
/// some), needs nothing and can only be linked against. Made with the host's C compiler; an Error
/// of kind `toolchain` if there is none.
support::Result<void> make_stub_library(const std::filesystem::path& output,
                                        const std::string& soname,
                                        const std::vector<elf::Symbol>& symbols);

/// The host's C compiler; the Error that make_stub_library would give without one, for asking
/// before a long download.
support::Result<std::string> host_c_compiler();

} // namespace kbuild::toolchain
