#include "isa/table.hpp"

#include "kbuild/emulator/device.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace kbuild::emulator {
namespace {

using nlohmann::ordered_json;

ordered_json counts(const std::vector<std::pair<std::string, std::uint64_t>>& list) {
    ordered_json object = ordered_json::object();
    for (const auto& [name, count] : list)
        object[name] = count;
    return object;
}

std::uint64_t count_of(const std::vector<std::pair<std::string, std::uint64_t>>& list,
                       std::string_view name) {
    for (const auto& [key, count] : list)
        if (key == name)
            return count;
    return 0;
}

ordered_json kernel_json(const KernelStatistics& kernel) {
    const auto total = static_cast<double>(std::max<std::uint64_t>(kernel.instructions, 1));
    ordered_json out;
    out["name"] = kernel.name;
    out["launches"] = kernel.launches;
    out["work_groups"] = kernel.work_groups;
    out["wave_instructions"] = kernel.instructions;
    out["mfma_share"] = static_cast<double>(count_of(kernel.units, "mfma")) / total;
    out["by_unit"] = counts(kernel.units);
    out["by_instruction"] = counts(kernel.names);
    out["lds"] = {{"accesses", kernel.lds_accesses},
                  {"conflict_cycles", kernel.lds_conflict_cycles}};
    out["global"] = {{"accesses", kernel.global_accesses},
                     {"bytes_read", kernel.global_bytes_read},
                     {"bytes_written", kernel.global_bytes_written},
                     {"segments_of_64_bytes", kernel.global_segments}};
    out["seconds"] = kernel.seconds;
    return out;
}

ordered_json finding_json(const Finding& finding) {
    ordered_json out;
    out["check"] = finding.check;
    out["message"] = finding.message;
    out["kernel"] = finding.kernel;
    out["group"] = {finding.group[0], finding.group[1], finding.group[2]};
    out["wave"] = finding.wave;
    out["lane"] = finding.lane;
    out["instruction"] = finding.instruction;
    out["offset"] = finding.offset;
    out["source"] = finding.source;
    out["count"] = finding.count;
    out["fatal"] = finding.fatal;
    return out;
}

std::vector<std::string> checks_on(const Checks& checks) {
    std::vector<std::string> names;
    const std::pair<bool, const char*> all[] = {{checks.memory, "memory"},
                                                {checks.undefined, "undefined"},
                                                {checks.waits, "waits"},
                                                {checks.hazards, "hazards"},
                                                {checks.races, "races"},
                                                {checks.streams, "streams"}};
    for (const auto& [on, name] : all)
        if (on)
            names.emplace_back(name);
    return names;
}

} // namespace

std::string Device::report_json() const {
    ordered_json out;
    out["format"] = "kbuild-emulate-1";
    out["device"] = "gfx942 (emulated, never compared with an MI300X)";
    out["host"] = host_level();
    out["mfma"] = options().fast_mfma ? "fast (fp32 order)" : "exact (MMA-Sim's model of CDNA 3)";
    out["checks"] = checks_on(options().checks);
    out["kernels"] = ordered_json::array();
    for (const auto& kernel : statistics())
        out["kernels"].push_back(kernel_json(kernel));
    out["instructions"] = ordered_json::array();
    for (const auto& one : trust())
        out["instructions"].push_back({{"name", one.name},
                                       {"fidelity", one.fidelity},
                                       {"oracle", one.oracle},
                                       {"count", one.count}});
    out["findings"] = ordered_json::array();
    for (const auto& finding : findings())
        out["findings"].push_back(finding_json(finding));
    return out.dump(2) + "\n";
}

std::string Device::summary() const {
    std::uint64_t launches = 0;
    std::uint64_t instructions = 0;
    double seconds = 0;
    const auto kernels = statistics();
    for (const auto& kernel : kernels) {
        launches += kernel.launches;
        instructions += kernel.instructions;
        seconds += kernel.seconds;
    }
    std::map<std::string, std::vector<std::string>> by_fidelity;
    for (const auto& one : trust())
        by_fidelity[one.fidelity].push_back(one.name);
    const auto named = [&](const char* fidelity) {
        const auto& names = by_fidelity[fidelity];
        return names.empty()
                   ? std::string()
                   : fmt::format(", {} {} ({})", names.size(), fidelity, fmt::join(names, " "));
    };
    const auto checks = checks_on(options().checks);
    return fmt::format(
        "emulated gfx942: {} kernels, {} launches, {:.1f} million wave instructions in {:.2f} s; "
        "instructions: {} exact{}; checks: {}; findings: {}; not compared with an MI300X",
        kernels.size(),
        launches,
        static_cast<double>(instructions) / 1e6,
        seconds,
        by_fidelity["exact"].size(),
        named("approximate"),
        checks.empty() ? "none" : fmt::format("{}", fmt::join(checks, " ")),
        findings().size());
}

} // namespace kbuild::emulator
