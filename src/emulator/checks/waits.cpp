#include "checks/waits.hpp"

#include <fmt/format.h>

namespace kbuild::emulator {
namespace {

bool counts_vector(const Row& row) {
    return row.unit == Unit::global || row.unit == Unit::flat || row.unit == Unit::scratch ||
           row.unit == Unit::buffer;
}
bool counts_lds(const Row& row) {
    return row.unit == Unit::lds || row.unit == Unit::flat;
}

bool is_memory(const Row& row) {
    return counts_vector(row) || counts_lds(row) || row.unit == Unit::smem;
}

} // namespace

std::string register_name(Place place, u32 index, u32 accumulators) {
    if (place == Place::vector)
        return index >= accumulators ? fmt::format("a{}", index - accumulators)
                                     : fmt::format("v{}", index);
    switch (index) {
    case kVcc:
        return "vcc_lo";
    case kVcc + 1:
        return "vcc_hi";
    case kExec:
        return "exec_lo";
    case kExec + 1:
        return "exec_hi";
    case kM0:
        return "m0";
    case kScc:
        return "scc";
    default:
        return fmt::format("s{}", index);
    }
}

Waits::Waits(u32 registers, u32 accumulators)
    : vectors_(registers), scalars_(kScalars), accumulators_(accumulators) {}

void Waits::wait(u32 immediate) {
    // The fields of gfx9: vmcnt 3:0 and 15:14, expcnt 6:4, lgkmcnt 11:8.
    const u32 vector = (immediate & 15U) | (immediate >> 14U & 3U) << 4U;
    const u32 lds = immediate >> 8U & 15U;
    if (vector < 63)
        vector_.allow(vector);
    if (lds < 15)
        lds_.allow(lds);
    if (lds == 0)
        scalar_.allow(0);
}

void Waits::use(Pending& pending,
                const Operand& operand,
                u32 word,
                const Instruction& in,
                const Reporter* report) {
    // Memory instructions of one counter write the same register in their order.
    const bool result = operand.role == Role::write || operand.role == Role::update;
    const bool same_vector = result && counts_vector(*in.row) && &operand == &in.operand[0];
    const bool same_lds = result && counts_lds(*in.row) && &operand == &in.operand[0];
    const char* counter = nullptr;
    u64 allowed = 0;
    if (pending.vector > vector_.done && !same_vector) {
        counter = "vmcnt";
        allowed = vector_.issued - pending.vector;
    } else if (pending.lds > lds_.done && !same_lds) {
        counter = "lgkmcnt";
        allowed = lds_.issued - pending.lds;
    } else if (pending.scalar > scalar_.done) {
        counter = "lgkmcnt";
    }
    if (pending.vector <= vector_.done && pending.lds <= lds_.done &&
        pending.scalar <= scalar_.done)
        pending = {}; // need not be looked at again
    if (counter == nullptr || report == nullptr)
        return;
    (*report)(
        "waits",
        fmt::format(
            "{} of `{}`, which a load still has to fill: `s_waitcnt {}({})` is missing before it",
            result ? "overwriting" : "use",
            register_name(operand.place, operand.index + word, accumulators_),
            counter,
            allowed));
    pending = {};
}

void Waits::issue(const Instruction& in) {
    const Row& row = *in.row;
    if (counts_vector(row) || row.name == "buffer_wbl2") {
        ++vector_.issued;
        vector_.allow(63); // the hardware's own limit
    }
    if (counts_lds(row)) {
        ++lds_.issued;
        lds_.allow(15);
    }
    if (row.unit == Unit::smem)
        ++scalar_.issued;
}

void Waits::mark_results(const Instruction& in) {
    for (u32 i = 0; i < in.operands; ++i) {
        const Operand& o = in.operand[i];
        const bool changes = in.returns || (in.row->flags & kAtomic) == 0;
        if (o.role != Role::write && (o.role != Role::update || !changes))
            continue;
        auto& all = o.place == Place::vector ? vectors_ : scalars_;
        for (u32 word = 0; word < o.words && o.index + word < all.size(); ++word) {
            Pending& pending = all[o.index + word];
            pending.vector = counts_vector(*in.row) ? vector_.issued : 0;
            pending.lds = counts_lds(*in.row) ? lds_.issued : 0;
            pending.scalar = in.row->unit == Unit::smem ? scalar_.issued : 0;
        }
    }
}

void Waits::before(const Wave&, const Instruction& in, const Reporter* report) {
    if (in.row->name == "s_waitcnt") {
        wait(in.immediate);
        return;
    }
    const bool waiting = vector_.outstanding() || lds_.outstanding() || scalar_.outstanding();
    for (u32 i = 0; waiting && i < in.operands; ++i) {
        const Operand& o = in.operand[i];
        if (o.place != Place::vector && o.place != Place::scalar)
            continue;
        auto& all = o.place == Place::vector ? vectors_ : scalars_;
        for (u32 word = 0; word < o.words && o.index + word < all.size(); ++word)
            if (Pending& pending = all[o.index + word]; pending.any())
                use(pending, o, word, in, report);
    }
    if (!is_memory(*in.row) && in.row->name != "buffer_wbl2")
        return;
    issue(in);
    mark_results(in);
}

} // namespace kbuild::emulator
