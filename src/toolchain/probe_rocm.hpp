#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>

namespace kbuild::toolchain {

/// What kind of ROCm lies at `root`: AMD's layout, a distribution's or one made by kbuild. Looks at
/// files only. Name, provider and (for one made by kbuild) origin are the caller's to set. An Error
/// of kind `toolchain` says what is missing for a ROCm that can compile.
support::Result<model::RocmSdk> probe_rocm(const std::filesystem::path& root);

} // namespace kbuild::toolchain
