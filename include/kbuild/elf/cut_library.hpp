#pragma once

#include "kbuild/elf/shared_names.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>

namespace kbuild::elf {

/// Writes to `output` what a linker needs of the stub library `library` for objects with the names
/// `names`: its SONAME and, of its symbols, those with such a name. False, and nothing is written,
/// for a library that tells the linker more than names: it has code, versions or weak symbols,
/// uses other libraries, or has no SONAME, in place of which linkers write its path.
support::Result<bool> cut_library(const std::filesystem::path& library,
                                  const NameSet& names,
                                  const std::filesystem::path& output);

} // namespace kbuild::elf
