#pragma once

#include "kbuild/inspect/device_code.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace kbuild::inspect {

/// What a compute unit (CU) of an architecture has for waves.
struct ComputeUnit {
    std::uint32_t simds = 4;
    std::uint32_t waves_per_simd = 8;   ///< wave slots
    std::uint32_t vgprs_per_lane = 512; ///< of one SIMD, VGPRs and AGPRs together
    std::uint32_t vgpr_granule = 8;     ///< a wave gets a multiple of this
    std::uint32_t lds_bytes = 65536;
    /// More scalar registers than this leave room for one wave less per SIMD (of 800 in all, in
    /// granules of 16); how clang counts, too.
    std::uint32_t sgprs_for_all_waves = 100;
};

/// None for an architecture that is not in the table: gfx90a and the gfx94x ones, whose unified
/// registers make the note's VGPR count the whole demand.
std::optional<ComputeUnit> compute_unit(const model::GfxArch& arch);

/// Which 8-bit floating point numbers the matrix instructions of an architecture take: `fnuz`
/// (gfx940 to gfx942: no infinities, one zero), `ocp` (gfx950, gfx12), none for others. The two
/// have other exponents: numbers of one kind read as the other are off by a factor of two.
std::optional<std::string_view> native_fp8(const model::GfxArch& arch);

/// What keeps more waves out.
enum class Limit { wave_slots, vgprs, sgprs, lds, work_group };
/// `wave slots`, `VGPRs`, `SGPRs`, `LDS`, `work-group size`
std::string_view to_string(Limit limit);

/// How many waves of a kernel run at a time.
struct Occupancy {
    std::uint32_t waves_per_simd = 0; ///< by registers and wave slots, 0 if it does not fit
    std::uint32_t waves_per_cu = 0;   ///< in whole work-groups of the largest size; 0 if none fits
    Limit limit = Limit::wave_slots;  ///< of the waves per CU
    bool operator==(const Occupancy&) const = default;
};

/// For work-groups of the kernel's largest size and its static LDS: smaller groups may pack better,
/// LDS that is asked for at the launch takes more. None as for compute_unit(), and for a kernel
/// that has no size.
std::optional<Occupancy> occupancy(const KernelResources& kernel, const model::GfxArch& arch);

} // namespace kbuild::inspect
