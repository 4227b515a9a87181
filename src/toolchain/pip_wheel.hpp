#pragma once

#include "kbuild/model/version.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>

namespace kbuild::toolchain {

/// Lets pip, which knows the user's index, proxy and credentials, fetch the wheel of the newest
/// torch `version`.x, or of exactly `exact`, into `into`; one that is there already is not fetched
/// again. Errors: `network` if pip fails, `toolchain` without pip.
support::Result<std::filesystem::path>
download_torch_wheel(const model::Version& version,
                     const std::optional<model::Version>& exact,
                     const std::filesystem::path& into);

} // namespace kbuild::toolchain
