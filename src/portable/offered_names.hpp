#pragma once

#include "kbuild/abi/manylinux.hpp"
#include "kbuild/elf/elf_file.hpp"
#include "kbuild/portable/baseline.hpp"

#include <map>
#include <string>
#include <vector>

namespace kbuild::portable {

/// Symbols of libraries, by SONAME.
using LibrarySymbols = std::map<std::string, std::vector<elf::Symbol>>;

/// What the stubs of a policy offer: of each name its newest allowed version, in the library that
/// has it on the policy's own systems (glibc 2.34 moved four libraries into libc); sorted by name.
LibrarySymbols offered_names(const LibrarySymbols& host, const abi::ManylinuxPolicy& policy);

/// Names that the host's libraries have, but in no version that the policy allows.
std::map<std::string, NewerName> names_beyond(const LibrarySymbols& host,
                                              const abi::ManylinuxPolicy& policy);

} // namespace kbuild::portable
