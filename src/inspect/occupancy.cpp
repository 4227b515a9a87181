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
std::uint32_t waves_by_registers(const KernelResources& kernel, const ComputeUnit& unit) {
    if (kernel.vgprs > unit.vgprs_per_lane)
        return 0;
    return unit.vgprs_per_lane / round_up(std::max(kernel.vgprs, 1U), unit.vgpr_granule);
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
    const auto by_registers = waves_by_registers(kernel, *unit);
    Occupancy result;
    result.waves_per_simd = std::min(by_registers, unit->waves_per_simd);
    const auto slots = result.waves_per_simd * unit->simds;
    const auto waves_per_group = (kernel.max_work_group_size - 1) / kernel.wave_size + 1;
    const auto groups = slots / waves_per_group;
    const auto lds_groups = groups_by_lds(kernel, *unit);
    result.waves_per_cu = std::min(groups, lds_groups) * waves_per_group;
    if (lds_groups < groups)
        result.limit = Limit::lds;
    else if (by_registers < unit->waves_per_simd)
        result.limit = Limit::vgprs;
    else if (result.waves_per_cu < slots)
        result.limit = Limit::work_group;
    return result;
}

} // namespace kbuild::inspect
