#include "runtime/group_state.hpp"

namespace kbuild::emulator {
namespace {

/// Writes scalar registers one after the other.
struct ScalarSetup {
    Wave& w;
    std::array<bool, kScalars>& set;
    u32 next = 0;

    void word(u32 value) {
        if (next < 102) {
            w.s[next] = value;
            set[next] = true;
        }
        ++next;
    }
    void pair(const void* pointer) {
        const auto value = reinterpret_cast<u64>(pointer);
        word(static_cast<u32>(value));
        word(static_cast<u32>(value >> 32U));
    }
};

// Kernel code properties, in the order of their user SGPRs.
constexpr u16 kPrivateSegmentBuffer = 1;
constexpr u16 kDispatchPointer = 2;
constexpr u16 kQueuePointer = 4;
constexpr u16 kKernargPointer = 8;
constexpr u16 kDispatchId = 16;
constexpr u16 kFlatScratch = 32;
constexpr u16 kPrivateSegmentSize = 64;

void user_scalars(ScalarSetup& scalars, const LaunchContext& context) {
    const Kernel& kernel = *context.kernel;
    const auto has = [&](u16 property) { return (kernel.properties & property) != 0; };
    for (u32 i = 0; has(kPrivateSegmentBuffer) && i < 4; ++i)
        scalars.word(0);
    if (has(kDispatchPointer))
        scalars.pair(context.dispatch_packet);
    if (has(kQueuePointer))
        scalars.pair(context.queue);
    if (has(kKernargPointer))
        scalars.pair(context.kernarg);
    if (has(kDispatchId))
        scalars.pair(nullptr);
    if (has(kFlatScratch))
        scalars.pair(nullptr);
    if (has(kPrivateSegmentSize))
        scalars.word(context.scratch_bytes);
    const u32 first = kernel.preload >> 7U;
    for (u32 i = 0; i < preloaded_words(kernel); ++i) {
        u32 value = 0;
        std::memcpy(&value, context.kernarg + u64{4} * (first + i), sizeof value);
        scalars.word(value);
    }
}

void system_scalars(ScalarSetup& scalars,
                    const LaunchContext& context,
                    const std::array<u32, 3>& id) {
    const u32 resource2 = context.kernel->resource2;
    scalars.next = resource2 >> 1U & 31U; // number of user SGPRs
    for (u32 i = 0; i < 3; ++i)
        if ((resource2 >> (7 + i) & 1U) != 0)
            scalars.word(id[i]);
    if ((resource2 >> 10U & 1U) != 0)
        scalars.word(0);
}

} // namespace

std::array<bool, kScalars>
initialize_wave(Wave& w, const LaunchContext& context, const std::array<u32, 3>& id) {
    std::array<bool, kScalars> set{};
    ScalarSetup scalars{w, set};
    user_scalars(scalars, context);
    system_scalars(scalars, context, id);
    const auto& block = context.launch->block;
    u64 exec = 0;
    for (u32 lane = 0; lane < kLanes; ++lane) {
        const u32 item = w.number * kLanes + lane;
        if (item < context.work_items)
            exec |= u64{1} << lane;
        // Ten bits each for x, y and z, in v0.
        const u32 x = item % block[0];
        const u32 y = item / block[0] % block[1];
        const u32 z = item / block[0] / block[1];
        w.v[0].lane[lane] = item < context.work_items ? x | y << 10U | z << 20U : 0;
    }
    w.set_scalar64(kExec, exec);
    for (const u32 index : {u32{kExec}, kExec + 1U, u32{kScc}})
        set[index] = true;
    w.mode = context.kernel->resource1 >> 12U & 0xffU; // FLOAT_MODE
    return set;
}

} // namespace kbuild::emulator
