#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/store.hpp"

#include <filesystem>

namespace kbuild::toolchain {

/// Whether a distribution installed its ROCm into `root` (`/usr`), as Debian and Fedora do: hipcc
/// and HIP's headers among everything else.
bool has_usr_rocm(const std::filesystem::path& root);

/// That ROCm as a prefix of its own: a folder of links in the store. `-isystem /usr/include` would
/// put the C library's headers before those of C++, and `--rocm-path=/usr` is not where a
/// distribution puts bitcode. Errors of kind `toolchain` say which package is missing, and which
/// bitcode and compilers there are if none fit together.
support::Result<model::RocmSdk> probe_usr_rocm(const Store& store,
                                               const std::filesystem::path& root);

} // namespace kbuild::toolchain
