#include "checks/hazards.hpp"

#include "checks/waits.hpp"

#include <fmt/format.h>

namespace kbuild::emulator {
namespace {

bool is_valu(const Instruction& in) {
    return in.row->unit == Unit::valu || in.row->unit == Unit::trans || in.row->unit == Unit::mfma;
}
bool is_plain_valu(const Instruction& in) {
    return in.row->unit == Unit::valu || in.row->unit == Unit::trans;
}
bool is_mfma(const Instruction& in) {
    return in.row->unit == Unit::mfma;
}
bool is_vector_memory(const Instruction& in) {
    const Unit unit = in.row->unit;
    return unit == Unit::global || unit == Unit::flat || unit == Unit::scratch ||
           unit == Unit::buffer;
}
bool is_xdl(const Instruction& in) {
    return (in.row->flags & kXdl) != 0;
}
bool is_double_mfma(const Instruction& in) {
    return (in.row->flags & kDouble) != 0;
}
bool is_lane_access(const Instruction& in) {
    return in.row->name == "v_readlane_b32" || in.row->name == "v_writelane_b32" ||
           in.row->name == "v_readfirstlane_b32";
}
bool writes_part(const Instruction& in) {
    return (in.sdwa && in.sdwa_result != 6) || in.half_select;
}

/// The whole register range of C is what the older MFMA wrote.
bool same_registers(const Operand& c, const Operand& d) {
    return c.index == d.index && c.words == d.words;
}

/// No hazard reaches further back than this many wait states.
constexpr i64 kLongest = 20;

i64 read_after_mfma(const Instruction& writer, bool memory) {
    if (is_double_mfma(writer))
        return memory ? 18 : 11;
    return writer.row->passes + (is_xdl(writer) ? 3 : 2);
}

} // namespace

Hazards::Hazards(u32 registers, u32 accumulators)
    : vectors_(registers), scalars_(kScalars), accumulators_(accumulators) {}

Hazards::Need
Hazards::vector_read(const Instruction& in, const Operand& o, const Past& past) const {
    const Instruction& writer = *past.writer;
    if (is_mfma(writer)) {
        if (!is_mfma(in))
            return {read_after_mfma(writer, !is_valu(in)), "the result of an MFMA"};
        if (&o != &in.operand[3])
            return {read_after_mfma(writer, false),
                    "the result of an MFMA, as A or B of the next one"};
        if (same_registers(o, writer.operand[0]))
            return {is_double_mfma(writer) ? 2 : 0, "the result of an MFMA, as C"};
        return {writer.row->passes + (is_xdl(writer) ? 1 : 0), "a part of an MFMA's result, as C"};
    }
    if (!is_plain_valu(writer))
        return {};
    if (is_mfma(in))
        return {2, "a VALU result, by an MFMA"};
    if (in.dpp != Dpp::none && &o == in.operand + in.source0)
        return {2, "a VALU result, through DPP"};
    if (in.row->name == "v_readlane_b32" || in.row->name == "v_readfirstlane_b32")
        return {1, "a VALU result, by v_readlane"};
    if (is_plain_valu(in) && writer.row->unit == Unit::trans && in.row->unit != Unit::trans)
        return {1, "the result of a transcendental instruction"};
    if (is_plain_valu(in) && writes_part(writer))
        return {1, "a result that was written into a part of the register"};
    return {};
}

Hazards::Need
Hazards::scalar_read(const Instruction& in, const Operand& o, const Past& past) const {
    if (!is_plain_valu(*past.writer))
        return {};
    if (is_vector_memory(in))
        return {5, "an SGPR that a VALU instruction wrote, by a vector memory instruction"};
    if (is_lane_access(in) && &o == &in.operand[2])
        return {4, "an SGPR that a VALU instruction wrote, as a lane number"};
    if (is_valu(in))
        return {2, "an SGPR that a VALU instruction wrote"};
    return {};
}

/// `since` is changed where the older instruction is not the last writer.
Hazards::Need Hazards::vector_write(const Instruction& in, const Past& past, i64& since) const {
    if (is_mfma(in) || (!is_valu(in) && !is_vector_memory(in) && in.row->unit != Unit::lds))
        return {};
    if (past.writer != nullptr && is_mfma(*past.writer)) {
        const Need need{read_after_mfma(*past.writer, false), "the result of an MFMA, overwritten"};
        if (since < need.states)
            return need;
    }
    if (past.c_passes != 0) {
        since = position_ - past.read_as_c - 1;
        const i64 states = past.c_passes == 2 ? 1 : past.c_passes - 1;
        return {states, "a register that an MFMA reads as C, overwritten"};
    }
    return {};
}

void Hazards::complain(const Need& need,
                       i64 since,
                       const std::string& name,
                       const Instruction* writer,
                       const Reporter& report) const {
    if (since >= need.states)
        return;
    report("hazards",
           fmt::format("`{}` needs {} wait states and has {}: {}{}",
                       name,
                       need.states,
                       since,
                       need.why,
                       writer == nullptr ? std::string() : fmt::format(" (`{}`)", writer->text)));
}

void Hazards::check_operand(const Instruction& in, const Operand& o, const Reporter& report) const {
    const auto& all = o.place == Place::vector ? vectors_ : scalars_;
    const Past* last = nullptr;
    for (u32 word = 0; word < o.words && o.index + word < all.size(); ++word) {
        const Past& past = all[o.index + word];
        i64 since = position_ - past.written - 1;
        const bool old = since > kLongest && position_ - past.read_as_c - 1 > kLongest;
        if (old || (last != nullptr && *last == past))
            continue;
        last = &past;
        Need need;
        if (past.writer != nullptr && (o.role == Role::read || o.role == Role::update))
            need = o.place == Place::vector ? vector_read(in, o, past) : scalar_read(in, o, past);
        if (since >= need.states && o.place == Place::vector && o.role != Role::read)
            need = vector_write(in, past, since);
        if (since < need.states) {
            complain(need,
                     since,
                     register_name(o.place, o.index + word, accumulators_),
                     past.writer,
                     report);
            return;
        }
    }
}

void Hazards::check_implicit(const Instruction& in, const Reporter& report) const {
    const auto check = [&](u32 index, i64 states, const char* why) {
        const Past& past = scalars_[index];
        if (past.writer != nullptr && is_plain_valu(*past.writer))
            complain({states, why},
                     position_ - past.written - 1,
                     register_name(Place::scalar, index, accumulators_),
                     past.writer,
                     report);
    };
    if ((in.row->flags & kReadsVcc) != 0)
        check(kVcc, 4, "VCC that a VALU instruction wrote, by v_div_fmas");
    if (in.dpp != Dpp::none)
        check(kExec, 5, "EXEC that a VALU instruction wrote, before DPP");
    if (is_lane_access(in) || is_mfma(in))
        check(kExec, 4, "EXEC that a VALU instruction wrote");
}

void Hazards::record(const Instruction& in) {
    for (u32 i = 0; i < in.operands; ++i) {
        const Operand& o = in.operand[i];
        auto& all = o.place == Place::vector ? vectors_ : scalars_;
        const bool is_c = is_mfma(in) && is_xdl(in) && i == 3 && o.place == Place::vector;
        if (!is_c && o.role != Role::write && o.role != Role::update)
            continue;
        for (u32 word = 0; word < o.words && o.index + word < all.size(); ++word) {
            Past& past = all[o.index + word];
            if (is_c) {
                past.c_passes = in.row->passes;
                past.read_as_c = position_;
            } else {
                past.writer = &in;
                past.written = position_;
            }
        }
    }
    if ((in.row->flags & kWritesExec) != 0)
        for (u32 index = kExec; index < kExec + 2U; ++index) {
            scalars_[index].writer = &in;
            scalars_[index].written = position_;
        }
}

void Hazards::before(const Wave&, const Instruction& in, const Reporter& report) {
    if (in.row->name == "s_nop") {
        position_ += (in.immediate & 15U) + 1;
        return;
    }
    for (u32 i = 0; i < in.operands; ++i)
        if (in.operand[i].place == Place::vector || in.operand[i].place == Place::scalar)
            check_operand(in, in.operand[i], report);
    check_implicit(in, report);
    record(in);
    ++position_;
}

} // namespace kbuild::emulator
