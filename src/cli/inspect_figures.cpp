#include "inspect_figures.hpp"

#include "kbuild/inspect/occupancy.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::cli {

using inspect::KernelResources;

std::vector<std::string> figure_columns() {
    return {"arch",
            "VGPR",
            "AGPR",
            "SGPR",
            "LDS",
            "scratch",
            "spills",
            "threads",
            "waves/SIMD",
            "waves/CU",
            "limit",
            "code",
            "MFMA"};
}

std::string spills(const KernelResources& kernel) {
    if (kernel.vgpr_spills == 0 && kernel.sgpr_spills == 0)
        return "0";
    return fmt::format("{} VGPR, {} SGPR", kernel.vgpr_spills, kernel.sgpr_spills);
}

std::string matrix_share(const KernelResources& kernel) {
    if (!kernel.instructions)
        return "?";
    const auto& counts = *kernel.instructions;
    if (counts.matrix == 0)
        return "0";
    return fmt::format("{} ({:.0f} %)",
                       counts.matrix,
                       100.0 * static_cast<double>(counts.matrix) /
                           static_cast<double>(counts.all));
}

std::string scratch(const KernelResources& kernel) {
    return fmt::format("{}{}", kernel.scratch_bytes, kernel.dynamic_stack ? "+" : "");
}

WaveFigures wave_figures(const KernelResources& kernel, const model::GfxArch& arch) {
    const auto occupancy = inspect::occupancy(kernel, arch);
    if (!occupancy)
        return {};
    return {std::to_string(occupancy->waves_per_simd),
            std::to_string(occupancy->waves_per_cu),
            std::string(inspect::to_string(occupancy->limit))};
}

std::string summary(const inspect::DeviceCode& code) {
    if (code.objects.empty() && code.other_targets.empty())
        return "no GPU code";
    std::vector<std::string> objects;
    for (const auto& object : code.objects) {
        auto text = fmt::format("{} (v{})", object.arch.to_string(), object.code_object_version);
        if (objects.empty() || objects.back() != text)
            objects.push_back(std::move(text));
    }
    objects.insert(objects.end(), code.other_targets.begin(), code.other_targets.end());
    return fmt::format("{}; {}, {}{}",
                       support::join(objects, ", "),
                       support::plural(code.kernel_count(), "kernel"),
                       support::plural(code.objects.size(), "code object"),
                       code.compressed_bundles > 0 ? ", compressed" : "");
}

std::vector<std::string> host_lines(const inspect::HostCode& host) {
    std::vector<std::string> lines;
    if (!host.soname.empty())
        lines.push_back("soname " + host.soname);
    if (!host.needed.empty())
        lines.push_back("needs " + support::join(host.needed, ", "));
    if (!host.run_paths.empty())
        lines.push_back("run path " + support::join(host.run_paths, ":"));
    std::vector<std::string> versions;
    for (const auto& needed : host.versions)
        versions.push_back(fmt::format("{} ({})", needed.version, needed.library));
    if (!versions.empty())
        lines.push_back("needs versions " + support::join(versions, ", "));
    if (!host.exported.empty())
        lines.push_back(fmt::format("exports {}, {} of them unique",
                                    support::plural(host.exported.size(), "symbol"),
                                    host.unique.size()));
    if (!host.python_module.empty())
        lines.push_back(fmt::format(
            "Python module {}{}",
            host.python_module,
            host.op_namespace.empty() ? "" : ", operators in torch.ops." + host.op_namespace));
    for (const auto& schema : host.op_schemas)
        lines.push_back("operator " + schema);
    return lines;
}

std::vector<inspect::HostCode::SectionSize> largest_sections(const inspect::HostCode& host,
                                                             std::size_t count) {
    auto sections = host.sections;
    std::sort(sections.begin(), sections.end(), [](const auto& a, const auto& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
    });
    sections.resize(std::min(sections.size(), count));
    return sections;
}

std::string readable_size(std::uint64_t bytes) {
    constexpr double kStep = 1024;
    if (bytes < 1024)
        return fmt::format("{} B", bytes);
    const auto kib = static_cast<double>(bytes) / kStep;
    return kib < kStep ? fmt::format("{:.1f} KiB", kib) : fmt::format("{:.1f} MiB", kib / kStep);
}

} // namespace kbuild::cli
