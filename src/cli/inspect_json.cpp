#include "finding_json.hpp"
#include "inspect_report.hpp"

#include "kbuild/inspect/occupancy.hpp"
#include "kbuild/inspect/symbol_name.hpp"

#include <nlohmann/json.hpp>

#include <map>

namespace kbuild::cli {
namespace {

using inspect::KernelResources;
using Json = nlohmann::ordered_json;

Json occupancy_json(const KernelResources& kernel, const model::GfxArch& arch) {
    const auto waves = inspect::occupancy(kernel, arch);
    if (!waves)
        return nullptr;
    return {{"waves_per_simd", waves->waves_per_simd},
            {"waves_per_cu", waves->waves_per_cu},
            {"limit", inspect::to_string(waves->limit)}};
}

Json instructions_json(const KernelResources& kernel) {
    if (!kernel.instructions)
        return nullptr;
    return {{"all", kernel.instructions->all}, {"mfma", kernel.instructions->matrix}};
}

Json arguments_json(const KernelResources& kernel) {
    Json list = Json::array();
    for (const auto& argument : kernel.arguments)
        list.push_back(
            {{"offset", argument.offset}, {"size", argument.size}, {"kind", argument.kind}});
    return list;
}

Json kernel_json(const KernelResources& kernel, const model::GfxArch& arch) {
    return {{"name", kernel.name},
            {"demangled", inspect::readable_symbol(kernel.name, kernel.name.size() * 64)},
            {"vgprs", kernel.vgprs},
            {"agprs", kernel.agprs},
            {"sgprs", kernel.sgprs},
            {"vgpr_spills", kernel.vgpr_spills},
            {"sgpr_spills", kernel.sgpr_spills},
            {"lds_bytes", kernel.lds_bytes},
            {"scratch_bytes", kernel.scratch_bytes},
            {"dynamic_stack", kernel.dynamic_stack},
            {"kernarg_bytes", kernel.kernarg_bytes},
            {"max_work_group_size", kernel.max_work_group_size},
            {"wave_size", kernel.wave_size},
            {"code_bytes", kernel.code_bytes},
            {"empty", kernel.empty},
            {"instructions", instructions_json(kernel)},
            {"occupancy", occupancy_json(kernel, arch)},
            {"arguments", arguments_json(kernel)}};
}

Json object_json(const inspect::CodeObject& object) {
    Json kernels = Json::array();
    for (const auto& kernel : object.kernels)
        kernels.push_back(kernel_json(kernel, object.arch));
    const auto fp8 = inspect::native_fp8(object.arch);
    return {{"arch", object.arch.to_string()},
            {"native_fp8", fp8 ? Json(*fp8) : Json(nullptr)},
            {"code_object_version", object.code_object_version},
            {"bytes", object.bytes},
            {"kernels", std::move(kernels)}};
}

Json host_json(const inspect::HostCode& host) {
    Json versions = Json::array();
    for (const auto& needed : host.versions)
        versions.push_back({{"library", needed.library}, {"version", needed.version}});
    Json sections = Json::array();
    for (const auto& section : host.sections)
        sections.push_back({{"name", section.name}, {"bytes", section.bytes}});
    return {{"soname", host.soname},
            {"run_paths", host.run_paths},
            {"versions_needed", std::move(versions)},
            {"exported", host.exported},
            {"unique", host.unique},
            {"python_module", host.python_module},
            {"op_namespace", host.op_namespace},
            {"op_schemas", host.op_schemas},
            {"sections", std::move(sections)}};
}

} // namespace

Json inspect_json(const inspect::FileReport& file) {
    Json archs = Json::array();
    for (const auto& arch : file.code.archs())
        archs.push_back(arch.to_string());
    Json objects = Json::array();
    std::map<std::string, std::uint64_t> sizes;
    for (const auto& object : file.code.objects) {
        objects.push_back(object_json(object));
        sizes[object.arch.to_string()] += object.bytes;
    }
    return {{"path", file.path.string()},
            {"bytes", file.bytes},
            {"archs", std::move(archs)},
            {"arch_bytes", sizes},
            {"kernel_count", file.code.kernel_count()},
            {"bundles", file.code.bundles},
            {"compressed_bundles", file.code.compressed_bundles},
            {"other_targets", file.code.other_targets},
            {"needed", file.host.needed},
            {"host", host_json(file.host)},
            {"code_objects", std::move(objects)}};
}

std::string inspect_json(const std::vector<inspect::FileReport>& files) {
    Json list = Json::array();
    for (const auto& file : files)
        list.push_back(inspect_json(file));
    const Json document = {{"schema", 1}, {"files", std::move(list)}};
    return json_text(document);
}

} // namespace kbuild::cli
