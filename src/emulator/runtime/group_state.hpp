#pragma once

#include "machine/group.hpp"

#include "kbuild/emulator/device.hpp"

#include <array>
#include <vector>

namespace kbuild::emulator {

/// What all work-groups of a launch have in common.
struct LaunchContext {
    const Module* module = nullptr;
    const Kernel* kernel = nullptr;
    const Launch* launch = nullptr;
    const Options* options = nullptr;
    const u8* kernarg = nullptr;
    const u8* dispatch_packet = nullptr;
    const u8* queue = nullptr;
    u32 lds_bytes = 0;
    u32 work_items = 0; ///< per group
    u32 waves = 0;
    u32 scratch_bytes = 0;
};

/// Sets the registers of wave `number` of group `id` to what the hardware and the packet processor
/// set them to. Returns for each scalar register whether it was set.
std::array<bool, kScalars>
initialize_wave(Wave& w, const LaunchContext& context, const std::array<u32, 3>& id);

/// How many SGPRs get kernel arguments before the kernel starts.
inline u32 preloaded_words(const Kernel& kernel) {
    return kernel.preload & 0x7fU;
}

/// The address at which waves start: behind the code for firmware that can't preload.
inline u64 first_address(const Kernel& kernel) {
    return kernel.entry + (preloaded_words(kernel) > 0 ? 256 : 0);
}

} // namespace kbuild::emulator
