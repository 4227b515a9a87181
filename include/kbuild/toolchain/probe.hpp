#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"

#include <string>

namespace kbuild::toolchain {

/// Tries an SDK out: a small kernel is compiled for gfx942, linked, and the result is read back
/// (device code, NEEDED). Returns one line of what was seen. An Error of kind `toolchain` says
/// which step failed.
support::Result<std::string> try_rocm(const model::RocmSdk& sdk);

/// Tries an SDK out: a small binding is linked against the stubs by names that torch's headers
/// declare.
support::Result<std::string> try_torch(const model::TorchSdk& sdk);

} // namespace kbuild::toolchain
