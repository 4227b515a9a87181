#include "checks/checker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::emulator {
namespace {

u32 registers_of(const LaunchContext& context) {
    return std::max(context.kernel->registers, context.kernel->arch_registers);
}

} // namespace

Checker::Checker(const LaunchContext& context,
                 std::shared_ptr<const AllocationList> allocations,
                 FindingLog& log)
    : checks_(context.options->checks), log_(log),
      waits_(context.waves, Waits(registers_of(context), context.kernel->arch_registers)),
      hazards_(context.waves, Hazards(registers_of(context), context.kernel->arch_registers)),
      definedness_(context.waves, registers_of(context), context.lds_bytes, context.scratch_bytes),
      bounds_(std::move(allocations), context.launch->ordinal),
      races_(context.waves, checks_.races ? context.lds_bytes : 0) {
    registers_ = registers_of(context);
    accumulators_ = context.kernel->arch_registers;
}

void Checker::begin_group(const std::array<u32, 3>& id) {
    id_ = id;
    std::fill(waits_.begin(), waits_.end(), Waits(registers_, accumulators_));
    std::fill(hazards_.begin(), hazards_.end(), Hazards(registers_, accumulators_));
    if (checks_.undefined)
        definedness_.begin_group();
    if (checks_.races)
        races_.begin_group();
}

void Checker::begin_wave(Wave& w, const std::array<bool, kScalars>& set) {
    if (checks_.undefined)
        definedness_.begin_wave(w, set);
}

void Checker::before(Wave& w, const Instruction& in) {
    const Reporter reporter = report(w, in);
    if (checks_.waits || checks_.races)
        waits_[w.number].before(w, in, checks_.waits ? &reporter : nullptr);
    if (checks_.hazards)
        hazards_[w.number].before(w, in, reporter);
    if (checks_.undefined)
        definedness_.before(w, in, reporter);
}

u64 Checker::admit(Wave& w, const Instruction& in) {
    const Reporter reporter = report(w, in);
    const u64 lanes = checks_.memory ? bounds_.allowed(w, reporter) : w.access.mask;
    if (checks_.races && w.access.space == Space::lds)
        races_.access(w, waits_[w.number], reporter);
    if (checks_.undefined)
        definedness_.access(w, in, lanes, bounds_, reporter);
    return lanes;
}

void Checker::barrier(const std::vector<Wave>& waves) {
    if (!checks_.races)
        return;
    races_.barrier(waits_, waves);
    const Wave* first = nullptr;
    for (const Wave& w : waves) {
        if (!w.waiting)
            continue;
        if (first == nullptr)
            first = &w;
        const Instruction& own = w.code[w.pc - 1];
        const Instruction& other = first->code[first->pc - 1];
        if (own.address != other.address)
            report(w, own)(
                "barrier",
                fmt::format("waves {} and {} wait at different barriers", w.number, first->number));
    }
}

} // namespace kbuild::emulator
