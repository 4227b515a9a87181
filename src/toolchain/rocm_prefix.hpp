#pragma once

#include "catalog.hpp"

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>

namespace kbuild::toolchain {

/// Unpacked packages, from which a ROCm-like prefix is made.
struct UnpackedPackages {
    std::filesystem::path parts;     ///< hipcc and headers
    std::filesystem::path link_only; ///< the HIP runtime
    std::string compiler_major;
};

/// Makes `prefix` look like /opt/rocm: bin/hipcc, llvm/{bin,lib}, include/, amdgcn/bitcode,
/// lib/libamdhip64.so (a stub), lib/cmake/hip-lang. `prefix`/distro holds the unpacked compiler
/// packages already; it is thinned out and made runnable for the time when the prefix lies at
/// `final_place`.
support::Result<void> make_rocm_prefix(const std::filesystem::path& prefix,
                                       const std::filesystem::path& final_place,
                                       const UnpackedPackages& packages,
                                       const RocmPackages& rules);

/// Moves what AMD's packages, unpacked below `unpacked`, installed into opt/rocm-X.Y.Z to `prefix`.
/// Links into that folder become relative. An Error of kind `toolchain` if there is no such folder.
support::Result<void> place_amd_rocm(const std::filesystem::path& unpacked,
                                     const std::filesystem::path& prefix);

} // namespace kbuild::toolchain
