#pragma once

#include "machine/types.hpp"

#include <xmmintrin.h>

namespace kbuild::emulator {

/// The host's rounding and denormal modes while a wave runs, from the wave's MODE register: bits
/// 1:0 round fp32 (nearest, up, down, zero), bits 5:4 say whether denormals of fp32 are read (4)
/// and written (5). The host has one mode for all formats; kernels change that of fp32 only.
class HostRounding {
  public:
    explicit HostRounding(u32 mode) : saved_(_mm_getcsr()) {
        static constexpr u32 kRound[] = {0x0000, 0x4000, 0x2000, 0x6000};
        u32 csr = 0x1f80U | kRound[mode & 3U];
        csr |= (mode >> 4U & 1U) == 0 ? 0x0040U : 0U; // denormals are zeros
        csr |= (mode >> 5U & 1U) == 0 ? 0x8000U : 0U; // flush to zero
        _mm_setcsr(csr);
    }
    ~HostRounding() { _mm_setcsr(saved_); }
    HostRounding(const HostRounding&) = delete;
    HostRounding& operator=(const HostRounding&) = delete;

  private:
    u32 saved_;
};

} // namespace kbuild::emulator
