#include "runtime/executor.hpp"

#include "runtime/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::emulator {
namespace {

/// Memory instructions after which another wave gets its turn.
constexpr u64 kRoundRobinQuantum = 64;
constexpr u64 kRandomQuantum = 16;
/// Instructions after which it gets it in any case, so that a wave that spins can't starve others.
constexpr u64 kPatience = 4096;

u32 register_rows(const Kernel& kernel) {
    return std::max(kernel.registers, kernel.arch_registers);
}

} // namespace

Executor::Executor(const LaunchContext& context,
                   std::shared_ptr<const AllocationList> allocations,
                   FindingLog& log)
    : context_(context), log_(log), waves_(context.waves), random_(context.options->seed) {
    registers_per_wave_ = register_rows(*context.kernel);
    if (context.options->checks.any()) {
        checker_ = std::make_unique<Checker>(context, std::move(allocations), log);
        registers_per_wave_ *= 2; // the second half holds the undefined bits
    }
    registers_ = std::make_unique<Register[]>(std::size_t{registers_per_wave_} * context.waves);
    lds_ = std::make_unique<u8[]>(context.lds_bytes + 16);
    scratch_ =
        std::make_unique<u8[]>(std::size_t{context.scratch_bytes} * kLanes * context.waves + 16);
    group_.environment = this;
    group_.checked = true;
    group_.fast_mfma = context.options->fast_mfma;
    group_.lds = lds_.get();
    group_.lds_bytes = context.lds_bytes;
    group_.scratch = scratch_.get();
    group_.scratch_bytes = context.scratch_bytes;
}

u64 Executor::admit(Wave& w, const Instruction& in) {
    if (checker_)
        w.access.mask = checker_->admit(w, in);
    else if (context_.options->report.empty())
        return w.access.mask;
    if (!context_.options->report.empty())
        counters_.count_access(w);
    return w.access.mask;
}

std::vector<MemoryAccess> Executor::touched() const {
    return checker_ ? checker_->touched() : std::vector<MemoryAccess>();
}

bool Executor::jump(Wave& w, u64 address) {
    const auto place = context_.kernel->program->at(address);
    if (!place)
        return false;
    w.code = place->code;
    w.pc = place->index;
    return true;
}

void Executor::start_waves(const std::array<u32, 3>& id) {
    id_ = id;
    group_.checked = checker_ != nullptr || !context_.options->report.empty();
    std::fill_n(lds_.get(), context_.lds_bytes, u8{0xcd});
    if (checker_)
        checker_->begin_group(id);
    for (u32 i = 0; i < context_.waves; ++i) {
        Wave& w = waves_[i];
        Register* const first = registers_.get() + std::size_t{registers_per_wave_} * i;
        w = Wave{};
        w.v = first;
        w.registers = register_rows(*context_.kernel);
        w.accumulators = context_.kernel->arch_registers;
        w.number = i;
        w.group = &group_;
        const auto set = initialize_wave(w, context_, id);
        if (!jump(w, first_address(*context_.kernel)))
            w.failure = "its first instruction cannot be decoded";
        if (checker_)
            checker_->begin_wave(w, set);
    }
}

u64 Executor::quantum() {
    if (waves_.size() == 1)
        return ~u64{0};
    return context_.options->schedule == Schedule::random ? random_() % kRandomQuantum + 1
                                                          : kRoundRobinQuantum;
}

/// A VALU instruction between s_set_gpr_idx_on and _off: registers move by the index. Kept, because
/// the checks remember instructions by their address in memory.
const Instruction& Executor::indexed(const Wave& w, const Instruction& in) {
    const auto [place, first] = indexed_.try_emplace({in.address, w.gpr_index, w.index_mode}, in);
    Instruction& moved = place->second;
    if (!first)
        return moved;
    for (u32 i = 0; i < 3 && in.source0 + i < in.operands; ++i) {
        Operand& o = moved.operand[in.source0 + i];
        if ((w.index_mode >> i & 1U) != 0 && o.place == Place::vector)
            o.index = static_cast<u16>(o.index + w.gpr_index);
    }
    if ((w.index_mode >> 3U & 1U) != 0 && moved.operand[0].place == Place::vector)
        moved.operand[0].index = static_cast<u16>(moved.operand[0].index + w.gpr_index);
    return moved;
}

void Executor::run_indexed(Wave& w, const Instruction& in) {
    const Instruction& moved = indexed(w, in);
    for (u32 i = 0; i < in.operands; ++i) {
        const Operand& o = moved.operand[i];
        if (o.place == Place::vector && u32{o.index} + o.words > w.registers) {
            w.failure = "indexes a vector register beyond those that the kernel allocates";
            return;
        }
    }
    if (checker_)
        checker_->before(w, moved);
    moved.run(w, moved);
}

template <bool Checked> bool Executor::run_instructions(Wave& w, u64& patience) {
    u64 left = quantum();
    for (u64 i = 0; i < kPatience; ++i) {
        const Instruction& in = w.code[w.pc++];
        counters_.count(in);
        if (w.index_mode != 0 && (in.row->unit == Unit::valu || in.row->unit == Unit::trans))
            [[unlikely]] {
            run_indexed(w, in);
        } else {
            if constexpr (Checked)
                checker_->before(w, in);
            in.run(w, in);
        }
        if (w.failure != nullptr) {
            report_failure(w, in);
            return false;
        }
        if (w.done || w.waiting)
            break;
        if (w.yields) {
            w.yields = false;
            if (--left == 0)
                break;
        }
        ++patience;
    }
    return true;
}

bool Executor::run_quantum(Wave& w) {
    const HostRounding rounding(w.mode);
    u64 count = 0;
    group_.clock = total_;
    const bool ok = checker_ ? run_instructions<true>(w, count) : run_instructions<false>(w, count);
    total_ += count;
    return ok;
}

u32 Executor::next_wave(u32 last) {
    const auto count = static_cast<u32>(waves_.size());
    const auto runnable = [&](u32 i) { return !waves_[i].done && !waves_[i].waiting; };
    if (context_.options->schedule == Schedule::random)
        last = static_cast<u32>(random_() % count);
    for (u32 i = 1; i <= count; ++i) {
        const u32 candidate = context_.options->schedule == Schedule::reverse
                                  ? (last + count - i) % count
                                  : (last + i) % count;
        if (runnable(candidate))
            return candidate;
    }
    return count;
}

/// All waves that are not done wait: they go on. False if none is left.
bool Executor::release_barrier() {
    const bool any =
        std::any_of(waves_.begin(), waves_.end(), [](const Wave& w) { return w.waiting; });
    if (any && checker_)
        checker_->barrier(waves_);
    for (Wave& w : waves_)
        w.waiting = false;
    return any;
}

void Executor::report_failure(const Wave& w, const Instruction& in) {
    Finding finding;
    finding.check = in.problem.empty() ? "stopped" : "unknown-instruction";
    finding.message = w.failure;
    finding.fatal = true;
    log_.add(finding, id_, w.number, -1, in);
}

bool Executor::run(const std::array<u32, 3>& id) {
    start_waves(id);
    total_ = 0;
    ++counters_.work_groups;
    u32 current =
        context_.options->schedule == Schedule::reverse ? 0 : static_cast<u32>(waves_.size()) - 1;
    while (true) {
        const u32 next = next_wave(current);
        if (next == waves_.size()) {
            if (!release_barrier())
                return true;
            continue;
        }
        current = next;
        Wave& w = waves_[current];
        if (!run_quantum(w) || log_.stopped())
            return false;
        if (total_ > context_.options->budget) {
            Finding finding;
            finding.check = "endless";
            finding.message =
                fmt::format("the work-group has run {} instructions and does not end", total_);
            finding.fatal = true;
            log_.add(finding, id_, w.number, -1, w.code[w.pc]);
            return false;
        }
    }
}

} // namespace kbuild::emulator
