#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>

namespace kbuild::toolchain {

/// The ROCm that pip installed into a `site-packages`; none if there is nothing of it.
///
/// AMD splits ROCm for pip: `rocm` (rocm_sdk/, the selector), `rocm-sdk-core` (_rocm_sdk_core/:
/// compiler and run time), `rocm-sdk-devel` (headers and CMake files, packed; `rocm-sdk init`
/// unpacks them into _rocm_sdk_devel/). Only the devel half can be built with. Errors of kind
/// `toolchain` tell the three cases apart, each with its command: no devel half, one that is not
/// unpacked, nothing but the selector.
std::optional<support::Result<model::RocmSdk>>
probe_pip_rocm(const std::filesystem::path& site_packages);

} // namespace kbuild::toolchain
