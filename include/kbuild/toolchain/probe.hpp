#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::toolchain {

/// Tries an SDK out: a small kernel is compiled for each of `archs`, linked, and the result is read
/// back: device code of each arch, NEEDED, and that the HIP headers were the SDK's and not those of
/// a distribution. Returns one line of what was seen. An Error of kind `toolchain` says which step
/// failed, and for the traps that are known what to do.
support::Result<std::string> try_rocm(const model::RocmSdk& sdk,
                                      const std::vector<std::string>& archs = {"gfx942"});

/// As try_rocm, but a success is remembered by the content of the SDK, of the probe and of the host
/// compiler, and not repeated.
support::Result<std::string> prove_rocm(const model::RocmSdk& sdk);

/// A compiler's words about a trap that is known, as advice; empty for others.
std::string advice_for(const std::string& said, const model::RocmSdk& sdk);

/// The `hip/hip_version.h` that a dependency file (`-MF`) names; empty if it names none.
std::filesystem::path hip_version_header(const std::string& dependencies);

/// Tries an SDK out: a binding that uses what bindings use of torch is compiled with its headers
/// and linked with its stubs, which have to have every name. With `rocm` it is one of a ROCm
/// variant: streams, guards and properties of the device, by the hipified headers.
support::Result<std::string> try_torch(const model::TorchSdk& sdk, const model::RocmSdk* rocm);

} // namespace kbuild::toolchain
