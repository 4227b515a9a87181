#include "kbuild/inspect/occupancy.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace kbuild::inspect {
namespace {

constexpr std::array<std::string_view, 4> kUnified = {"gfx90a", "gfx940", "gfx941", "gfx942"};

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t granule) {
    return (value + granule - 1) / granule * granule;
}

/// A wave always has at least one granule.
std::uint32_t waves_by_vgprs(const KernelResources& kernel, const ComputeUnit& unit) {
    if (kernel.vgprs > unit.vgprs_per_lane)
        return 0;
    return unit.vgprs_per_lane / round_up(std::max(kernel.vgprs, 1U), unit.vgpr_granule);
}

/// A kernel has at most 106, which always leave room for all waves but one.
std::uint32_t waves_by_sgprs(const KernelResources& kernel, const ComputeUnit& unit) {
    return unit.waves_per_simd - (kernel.sgprs > unit.sgprs_for_all_waves ? 1U : 0U);
}

std::uint32_t groups_by_lds(const KernelResources& kernel, const ComputeUnit& unit) {
    return kernel.lds_bytes == 0 ? std::numeric_limits<std::uint32_t>::max()
                                 : unit.lds_bytes / kernel.lds_bytes;
}

} // namespace

std::optional<ComputeUnit> compute_unit(const model::GfxArch& arch) {
    if (std::find(kUnified.begin(), kUnified.end(), arch.processor()) == kUnified.end())
        return std::nullopt;
    return ComputeUnit{};
}

std::optional<std::string_view> native_fp8(const model::GfxArch& arch) {
    const auto& name = arch.processor();
    if (name == "gfx940" || name == "gfx941" || name == "gfx942")
        return "fnuz";
    if (name == "gfx950" || name == "gfx1200" || name == "gfx1201")
        return "ocp";
    return std::nullopt;
}

std::string_view to_string(Limit limit) {
    switch (limit) {
    case Limit::wave_slots:
        return "wave slots";
    case Limit::vgprs:
        return "VGPRs";
    case Limit::sgprs:
        return "SGPRs";
    case Limit::lds:
        return "LDS";
    case Limit::work_group:
        return "work-group size";
    }
    return "";
}

std::optional<Occupancy> occupancy(const KernelResources& kernel, const model::GfxArch& arch) {
    const auto unit = compute_unit(arch);
    if (!unit || kernel.wave_size == 0 || kernel.max_work_group_size == 0)
        return std::nullopt;
    const auto by_vgprs = waves_by_vgprs(kernel, *unit);
    const auto by_sgprs = waves_by_sgprs(kernel, *unit);
    Occupancy result;
    result.waves_per_simd = std::min({by_vgprs, by_sgprs, unit->waves_per_simd});
    const auto slots = result.waves_per_simd * unit->simds;
    const auto waves_per_group = (kernel.max_work_group_size - 1) / kernel.wave_size + 1;
    const auto groups = slots / waves_per_group;
    const auto lds_groups = groups_by_lds(kernel, *unit);
    result.waves_per_cu = std::min(groups, lds_groups) * waves_per_group;
    if (lds_groups < groups)
        result.limit = Limit::lds;
    else if (by_vgprs < unit->waves_per_simd && by_vgprs <= by_sgprs)
        result.limit = Limit::vgprs;
    else if (by_sgprs < unit->waves_per_simd)
        result.limit = Limit::sgprs;
    else if (result.waves_per_cu < slots)
        result.limit = Limit::work_group;
    return result;
}

} // namespace kbuild::inspect
