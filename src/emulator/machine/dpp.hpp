#pragma once

#include "machine/instruction.hpp"

namespace kbuild::emulator {

/// Lane that `lane` reads through DPP, or 64 if there is none.
inline u32 dpp_source(const Instruction& in, u32 lane) {
    const u32 n = in.dpp_value;
    const u32 row = lane & ~15U;
    const u32 in_row = lane & 15U;
    switch (in.dpp) {
    case Dpp::quad_perm:
        return (lane & ~3U) | ((n >> (2 * (lane & 3U))) & 3U);
    case Dpp::row_shl:
        return in_row + n < 16 ? lane + n : kLanes;
    case Dpp::row_shr:
        return in_row >= n ? lane - n : kLanes;
    case Dpp::row_ror:
        return row | ((in_row + 16 - n) & 15U);
    case Dpp::wave_shl:
        return lane + 1 < kLanes ? lane + 1 : kLanes;
    case Dpp::wave_rol:
        return (lane + 1) % kLanes;
    case Dpp::wave_shr:
        return lane > 0 ? lane - 1 : kLanes;
    case Dpp::wave_ror:
        return (lane + kLanes - 1) % kLanes;
    case Dpp::row_mirror:
        return row | (15 - in_row);
    case Dpp::row_half_mirror:
        return (lane & ~7U) | (7 - (lane & 7U));
    case Dpp::row_bcast15:
        return row >= 16 ? row - 1 : kLanes;
    case Dpp::row_bcast31:
        return lane >= 32 ? 31 : kLanes;
    case Dpp::row_newbcast:
        return row | n;
    case Dpp::none:
        break;
    }
    return lane;
}

} // namespace kbuild::emulator
