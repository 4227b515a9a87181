#pragma once

#include "catalog.hpp"

#include "kbuild/model/version.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>

namespace kbuild::toolchain {

/// Lets pip, which knows the user's index, proxy and credentials, fetch the wheel of the newest
/// torch of the recipe's version, or of exactly `exact`, into `into`; one that is there already is
/// not fetched again. The recipe's index, if it has one, is asked instead of the user's. Errors:
/// `network` if pip fails, `toolchain` without pip.
support::Result<std::filesystem::path>
download_torch_wheel(const TorchRecipe& recipe,
                     const std::optional<model::Version>& exact,
                     const std::filesystem::path& into);

} // namespace kbuild::toolchain
