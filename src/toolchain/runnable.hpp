#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <vector>

namespace kbuild::toolchain {

/// Whether `path` itself is a symbolic link.
bool is_link(const std::filesystem::path& path);

/// ELF programs directly in `folder`; links are not followed. Sorted.
support::Result<std::vector<std::filesystem::path>>
programs_in(const std::filesystem::path& folder);

/// Makes programs of a newer distribution run here: they start through `loader` (the dynamic loader
/// of their own distribution, at the place where it will be) and find its libraries by `run_path`.
/// DT_RPATH and not DT_RUNPATH, since it also holds for the libraries' own dependencies; no
/// LD_LIBRARY_PATH, which would leak into the host's linker.
support::Result<void> make_runnable(const std::vector<std::filesystem::path>& programs,
                                    const std::filesystem::path& loader,
                                    const std::string& run_path);

/// Programs need some libraries only for features that are never used here. Those of `stand_ins`
/// that are in none of `library_dirs` get a stub in the first of them (starting works, calling
/// stops the program); programs that need anything else which is not there are removed.
support::Result<void> settle_needs(const std::vector<std::filesystem::path>& programs,
                                   const std::vector<std::filesystem::path>& library_dirs,
                                   const std::vector<std::string>& stand_ins);

} // namespace kbuild::toolchain
