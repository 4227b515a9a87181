#pragma once

#include "kbuild/emulator/device.hpp"

#include <array>
#include <string>

namespace kbuild::emulator {

/// The kernel's argument segment: the explicit arguments of the launch and the hidden ones.
std::string complete_kernarg(const Kernel& kernel, const Launch& launch, const void* heap);

/// The HSA dispatch packet that kernels of code object version 4 read sizes from.
std::array<char, 64>
dispatch_packet(const Kernel& kernel, const Launch& launch, const void* kernarg);

} // namespace kbuild::emulator
