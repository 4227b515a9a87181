#pragma once

#include "machine/wave.hpp"

namespace kbuild::emulator {

/// What handlers need from outside of the lane code.
class Environment {
  public:
    virtual ~Environment() = default;
    /// Lanes of `w.access.mask` that may access memory; called only if `Group::checked`.
    virtual u64 admit(Wave& w, const Instruction& in) = 0;
    /// Continues `w` at an address of the code; false if no code can be there.
    virtual bool jump(Wave& w, u64 address) = 0;
};

/// What the waves of a work-group share.
struct Group {
    Environment* environment = nullptr;
    bool checked = false;   ///< whether admit() has to be asked
    bool fast_mfma = false; ///< sums in plain fp32 order
    u8* lds = nullptr;
    u32 lds_bytes = 0;
    u8* scratch = nullptr; ///< per wave, per lane
    u32 scratch_bytes = 0; ///< per lane
    u64 clock = 0;         ///< instructions of the group so far (s_memtime)
};

} // namespace kbuild::emulator
