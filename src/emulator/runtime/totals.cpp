#include "runtime/totals.hpp"

namespace kbuild::emulator {

void Totals::add(const std::string& kernel, const Counters& counters, double seconds) {
    PerKernel& one = kernels_[kernel];
    one.sums.name = kernel;
    one.sums.launches += 1;
    one.sums.work_groups += counters.work_groups;
    one.sums.instructions += counters.instructions;
    one.sums.lds_accesses += counters.lds_accesses;
    one.sums.lds_conflict_cycles += counters.lds_conflict_cycles;
    one.sums.global_bytes_read += counters.global_bytes_read;
    one.sums.global_bytes_written += counters.global_bytes_written;
    one.sums.global_segments += counters.global_segments;
    one.sums.global_accesses += counters.global_accesses;
    one.sums.seconds += seconds;
    for (std::size_t i = 0; i < counters.by_instruction.size(); ++i) {
        const Row* const row = counters.rows[i];
        if (row == nullptr || counters.by_instruction[i] == 0)
            continue;
        one.units[std::string(unit_name(row->unit))] += counters.by_instruction[i];
        one.names[std::string(row->name)] += counters.by_instruction[i];
        auto& trust = trust_[row->name];
        trust.name = row->name;
        trust.fidelity = row->fidelity == Fidelity::exact ? "exact" : "approximate";
        trust.oracle = row->oracle.empty() ? "the ISA's formula" : std::string(row->oracle);
        trust.count += counters.by_instruction[i];
    }
}

std::vector<KernelStatistics> Totals::kernels() const {
    std::vector<KernelStatistics> all;
    for (const auto& [name, one] : kernels_) {
        all.push_back(one.sums);
        all.back().units.assign(one.units.begin(), one.units.end());
        all.back().names.assign(one.names.begin(), one.names.end());
    }
    return all;
}

std::vector<InstructionTrust> Totals::trust() const {
    std::vector<InstructionTrust> all;
    for (const auto& [name, trust] : trust_)
        all.push_back(trust);
    return all;
}

} // namespace kbuild::emulator
