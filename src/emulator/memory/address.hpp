#pragma once

#include "machine/types.hpp"

namespace kbuild::emulator {

/// The memory at a device address. Device addresses are host addresses: a kernel computes with them
/// as integers, and this is the only place where one becomes a pointer.
inline u8* pointer_to(u64 address) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel's arithmetic made the integer
    return reinterpret_cast<u8*>(address);
}

} // namespace kbuild::emulator
