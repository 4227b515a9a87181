#include "isa/rows.hpp"
#include "isa/scalar.hpp"
#include "isa/valu.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

/// v_cndmask_b32: a bit of the mask chooses. Fetched as float, for -x and |x|; nothing is rounded.
void choose(Wave& w, const Instruction& in) {
    Values<float> buffer0;
    Values<float> buffer1;
    const auto* const a =
        reinterpret_cast<const char*>(fetch<float>(w, in, in.operand[1], buffer0));
    const auto* const b =
        reinterpret_cast<const char*>(fetch<float>(w, in, in.operand[2], buffer1));
    const LaneMask mask = spread(scalar64(w, in.operand[3]));
    Register first;
    Register second;
    std::memcpy(&first, a, sizeof first);
    std::memcpy(&second, b, sizeof second);
    Values<u32> result;
    for (u32 i = 0; i < kLanes; ++i)
        result.lane[i] = (second.lane[i] & mask.lane[i]) | (first.lane[i] & ~mask.lane[i]);
    store<u32>(w, in, in.operand[0], result, active(w, in));
}

/// Lane 0 if no lane is on.
void read_first(Wave& w, const Instruction& in) {
    const u64 exec = w.exec();
    const Operand& from = in.operand[1];
    const u32 lane = exec == 0 ? 0 : static_cast<u32>(std::countr_zero(exec));
    w.s[in.operand[0].index] =
        from.place == Place::vector ? w.v[from.index].lane[lane] : scalar32(w, from);
}

void read_lane(Wave& w, const Instruction& in) {
    const u32 lane = scalar32(w, in.operand[2]) % kLanes;
    w.s[in.operand[0].index] = w.v[in.operand[1].index].lane[lane];
}

void write_lane(Wave& w, const Instruction& in) {
    const u32 lane = scalar32(w, in.operand[2]) % kLanes;
    w.v[in.operand[0].index].lane[lane] = scalar32(w, in.operand[1]);
}

void swap(Wave& w, const Instruction& in) {
    const u64 exec = w.exec();
    Register& a = w.v[in.operand[0].index];
    Register& b = w.v[in.operand[1].index];
    const Register old = a;
    write_words(a, b.lane, exec);
    write_words(b, old.lane, exec);
}

void nothing(Wave&, const Instruction&) {}

constexpr Row choose_row() {
    Row row;
    row.name = "v_cndmask_b32";
    row.run = &choose;
    row.taint = Taint::same;
    row.data = 6;
    row.operands[0] = {Role::write, Type::b32};
    row.operands[1] = {Role::read, Type::f32};
    row.operands[2] = {Role::read, Type::f32};
    row.operands[3] = {Role::read, Type::mask};
    return row;
}

constexpr Row
move_row(std::string_view name, Handler run, OperandSpec a, OperandSpec b, OperandSpec c = {}) {
    Row row;
    row.name = name;
    row.run = run;
    row.taint = Taint::custom;
    row.flags = kAnyExec;
    row.operands[0] = a;
    row.operands[1] = b;
    row.operands[2] = c;
    return row;
}

constexpr OperandSpec kOut{Role::write, Type::b32};
constexpr OperandSpec kIn{Role::read, Type::b32};
constexpr OperandSpec kBoth{Role::update, Type::b32};

constexpr Row kRows[] = {
    choose_row(),
    with_flags(move_row("v_readfirstlane_b32", &read_first, kOut, kIn), kReadsExec),
    move_row("v_readlane_b32", &read_lane, kOut, kIn, kIn),
    move_row("v_writelane_b32", &write_lane, kBoth, kIn, kIn),
    move_row("v_swap_b32", &swap, kBoth, kBoth),
    moving(lane_row("v_accvgpr_read_b32", [](u32 a) { return a; }), 2),
    moving(lane_row("v_accvgpr_write_b32", [](u32 a) { return a; }), 2),
    moving(lane_row("v_accvgpr_mov_b32", [](u32 a) { return a; }), 2),
    move_row("v_nop", &nothing, {}, {}),
};

} // namespace

std::span<const Row> lane_move_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
