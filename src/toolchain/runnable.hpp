#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <vector>

namespace kbuild::toolchain {

/// ELF programs directly in `folder`; links are not followed. Sorted.
support::Result<std::vector<std::filesystem::path>> programs_in(const std::filesystem::path& folder);

/// Makes programs of a newer distribution run here: they start through `loader` (the dynamic loader of their own
/// distribution, at the place where it will be) and find its libraries by `run_path`. DT_RPATH and not DT_RUNPATH,
/// since it also holds for the libraries' own dependencies; no LD_LIBRARY_PATH, which would leak into the host's linker.
support::Result<void> make_runnable(const std::vector<std::filesystem::path>& programs,
                                    const std::filesystem::path& loader,
                                    const std::string& run_path);

/// Removes programs that need a library which is in none of `library_dirs`, apart from those in `optional`, of which
/// the need is dropped (functions of it are only called on demand).
support::Result<void> drop_unresolved(const std::vector<std::filesystem::path>& programs,
                                      const std::vector<std::filesystem::path>& library_dirs,
                                      const std::vector<std::string>& optional);

}  // namespace kbuild::toolchain
