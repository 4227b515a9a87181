#pragma once

#include <cstdint>
#include <string>

namespace kbuild::emulator {

/// What is looked for while kernels run (docs/emulator.md).
struct Checks {
    bool memory = true;    ///< accesses outside of live allocations, misaligned LDS accesses
    bool undefined = true; ///< uninitialised values that reach a store, a branch or an address
    bool waits = true;     ///< results of loads that are used before an s_waitcnt covers them
    bool hazards = true;   ///< missing wait states (s_nop)
    bool races = true;     ///< LDS accesses of waves that no barrier orders; divergent barriers
    bool streams = true;   ///< accesses of two streams that no event or wait orders
    /// Whether instructions are looked at.
    bool any() const { return memory || undefined || waits || hazards || races; }
    static Checks none() { return {false, false, false, false, false, false}; }
};

enum class Schedule { round_robin, random, reverse };

struct Options {
    Checks checks;
    bool fast_mfma = false; ///< plain fp32 order instead of the hardware's sums
    Schedule schedule = Schedule::round_robin;
    std::uint64_t seed = 1;               ///< of `random`
    unsigned threads = 0;                 ///< host threads; 0: one per processor
    std::uint64_t budget = 2'000'000'000; ///< instructions of a wave before it counts as endless
    unsigned devices = 1;                 ///< 1 to 16
    std::uint64_t memory = 192ULL << 30U; ///< bytes that a device has
    std::string report;                   ///< file for the JSON report; empty: none
    bool quiet = false;                   ///< no summary line on stderr
};

/// From the variables KBUILD_EMULATE_CHECKS (`all`, `none` or a list such as `memory,waits`),
/// _MFMA (`exact`, `fast`), _SCHEDULE, _SEED, _THREADS, _BUDGET, _DEVICES, _MEMORY, _REPORT,
/// _QUIET. `problem` gets a sentence for each value that makes no sense.
Options options_from_environment(std::string& problem);

} // namespace kbuild::emulator
