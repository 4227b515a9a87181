#pragma once

#include "machine/instruction.hpp"

#include <vector>

namespace kbuild::emulator {

struct Group;
class Observer;

/// Numbers of special registers in the scalar file.
inline constexpr u16 kVcc = 106;
inline constexpr u16 kM0 = 124;
inline constexpr u16 kExec = 126;
inline constexpr u16 kScc = 128; ///< not addressable, kept here for `src_scc`
inline constexpr u16 kScalars = 136;

/// High halves of flat addresses that mean LDS and scratch. Host addresses are below 2^47.
inline constexpr u32 kSharedAperture = 0x00010000;
inline constexpr u32 kPrivateAperture = 0x00020000;

enum class Space : u8 { global, lds, scratch };

/// What the memory instruction at hand accesses; filled by its handler for the checks.
struct Access {
    Space space = Space::global;
    bool write = false;
    bool read = false;
    bool atomic = false;
    u8 bytes = 0;   ///< per lane and part
    u8 parts = 1;   ///< ds_read2: two
    i32 second = 0; ///< distance of the second part
    u64 mask = 0;   ///< lanes that take part
    alignas(64) u64 address[kLanes];
};

/// The state of one wave.
struct Wave {
    u32 s[kScalars] = {};
    Register* v = nullptr; ///< VGPRs, then AGPRs
    u32 registers = 0;
    u32 accumulators = 0; ///< row of a0
    const Instruction* code = nullptr;
    u32 pc = 0;   ///< index of the next instruction in `code`
    u32 mode = 0; ///< FP_ROUND 3:0, FP_DENORM 7:4 and further bits of MODE
    bool done = false;
    bool waiting = false; ///< at a barrier
    u32 index_mode = 0;   ///< s_set_gpr_idx_on: bit i (3: destination) takes gpr_index as well
    u32 gpr_index = 0;
    u32 number = 0; ///< in its work-group
    Group* group = nullptr;
    Access access;
    bool yields = false; ///< set by memory instructions: another wave may go on
    const char* failure = nullptr;

    bool scc() const { return s[kScc] != 0; }
    void set_scc(bool value) { s[kScc] = value ? 1 : 0; }
    u64 scalar64(u32 index) const { return s[index] | u64{s[index + 1]} << 32U; }
    void set_scalar64(u32 index, u64 value) {
        s[index] = static_cast<u32>(value);
        s[index + 1] = static_cast<u32>(value >> 32U);
    }
    u64 exec() const { return scalar64(kExec); }
    u64 vcc() const { return scalar64(kVcc); }
};

} // namespace kbuild::emulator
