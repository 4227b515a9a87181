#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>

namespace kbuild::toolchain {

/// From torch's libraries in `libraries` makes stub libraries in `stubs` and `<library>.so.txt`
/// with their exported names in `symbols`: libtorch.so, libtorch_cpu.so, libc10.so, and
/// libtorch_hip.so, libc10_hip.so, whose names come from the CUDA ones where the wheel is a CUDA
/// build; these two only `with_rocm`. Returns whether torch uses the C++11 ABI of libstdc++.
support::Result<bool> make_torch_stubs(const std::filesystem::path& libraries,
                                       const std::filesystem::path& stubs,
                                       const std::filesystem::path& symbols,
                                       bool with_rocm);

} // namespace kbuild::toolchain
