#pragma once

#include "kbuild/config/settings.hpp"
#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>

namespace kbuild::build {

/// The program of `sdk` that compiles HIP for a wanted driver: for `automatic` hipcc, else
/// amdclang++, else clang++. A driver that was asked for by name and is not there, or cannot run
/// there, is an Error of kind `toolchain`.
support::Result<std::filesystem::path> choose_driver(config::Driver wanted,
                                                     const model::RocmSdk& sdk);

/// Why `automatic` passes over a hipcc that the SDK has; empty if it does not.
std::string passed_over_hipcc(config::Driver wanted, const model::RocmSdk& sdk);

} // namespace kbuild::build
