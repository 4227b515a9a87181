#pragma once

#include "catalog.hpp"

#include "kbuild/toolchain/add.hpp"

#include <filesystem>

namespace kbuild::toolchain {

/// Fills `staging` with a ROCm SDK from a distribution's archive; downloads are kept in `downloads`
/// until it is complete.
support::Result<void> prepare_rocm(const RocmRecipe& recipe,
                                   const RocmPackages& rules,
                                   const std::filesystem::path& downloads,
                                   const std::filesystem::path& staging,
                                   const std::filesystem::path& final_place,
                                   const OnProgress& on_progress);

/// Fills `staging` with a torch SDK from a wheel that pip fetches.
support::Result<void> prepare_torch(const TorchRecipe& recipe,
                                    const std::filesystem::path& downloads,
                                    const std::filesystem::path& staging,
                                    const std::filesystem::path& final_place,
                                    const OnProgress& on_progress);

} // namespace kbuild::toolchain
