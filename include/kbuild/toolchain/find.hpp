#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/store.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::toolchain {

/// Where SDKs are looked for, in the order of product.md 4.
struct FindOptions {
    std::vector<std::filesystem::path> rocm_paths;         ///< `--rocm PATH`
    std::optional<std::filesystem::path> rocm_environment; ///< ROCM_PATH or, without it, HIP_PATH
    std::string rocm_variable = "ROCM_PATH";               ///< the one of the two that it is of
    std::optional<std::filesystem::path> hip_environment;  ///< HIP_PATH where both are set
    std::filesystem::path opt = "/opt";                    ///< its rocm* folders are looked at
    std::filesystem::path usr; ///< `/usr`: a distribution's own ROCm; empty: not looked for
    std::vector<std::filesystem::path> python_sites; ///< where pip installs: `…/site-packages`
    std::filesystem::path store;                     ///< fetched SDKs
    std::vector<std::filesystem::path> torch_paths;  ///< `--torch PATH`
    /// Gets a line before a torch of `torch_paths` is prepared, which takes seconds the first time.
    std::function<void(const std::string&)> on_progress;
};

/// What was found. Of two SDKs of one kind with the same major.minor the first of the order above
/// is used, the other named in `shadowed`, as is a torch of a Python environment, which is only
/// used when asked for. `problems` says what was there but cannot be used, and why; what
/// mends it comes last, after `; `.
struct FoundSdks {
    std::vector<model::RocmSdk> rocm;   ///< sorted by version
    std::vector<model::TorchSdk> torch; ///< sorted by version
    std::vector<std::string> shadowed;
    std::vector<std::string> problems;
};

/// The `lib/python3.*/site-packages` of a Python environment; looks at files only.
std::vector<std::filesystem::path> site_packages(const std::filesystem::path& environment);

/// Looks at files only; a program is started for `torch_paths` alone (local_torch.hpp). Written are
/// only, into the store, what is made of `torch_paths`, and links to a distribution's ROCm. An
/// explicit path that is no ROCm, or no torch, is an Error.
support::Result<FoundSdks> find_sdks(const FindOptions& options);

} // namespace kbuild::toolchain
