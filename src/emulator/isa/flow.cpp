#include "isa/memory.hpp"
#include "isa/rows.hpp"
#include "isa/scalar.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

enum class When { always, scc0, scc1, vccz, vccnz, execz, execnz };

template <When C> void branch(Wave& w, const Instruction& in) {
    const bool taken = C == When::always  ? true
                       : C == When::scc0  ? !w.scc()
                       : C == When::scc1  ? w.scc()
                       : C == When::vccz  ? w.vcc() == 0
                       : C == When::vccnz ? w.vcc() != 0
                       : C == When::execz ? w.exec() == 0
                                          : w.exec() != 0;
    if (taken)
        w.pc = in.target;
}

void jump(Wave& w, u64 address) {
    if (!w.group->environment->jump(w, address))
        w.failure = "jumps to an address that holds no code";
}

u64 after(const Instruction& in) {
    return in.address + in.size;
}

void get_pc(Wave& w, const Instruction& in) {
    w.set_scalar64(in.operand[0].index, after(in));
}
void set_pc(Wave& w, const Instruction& in) {
    jump(w, scalar64(w, in.operand[0]));
}
void swap_pc(Wave& w, const Instruction& in) {
    const u64 target = scalar64(w, in.operand[1]);
    w.set_scalar64(in.operand[0].index, after(in));
    jump(w, target);
}
void call(Wave& w, const Instruction& in) {
    w.set_scalar64(in.operand[0].index, after(in));
    jump(w, after(in) + static_cast<u64>(4 * i64{static_cast<i16>(in.operand[1].value)}));
}

void end_program(Wave& w, const Instruction&) {
    w.done = true;
}
void barrier(Wave& w, const Instruction&) {
    w.waiting = true;
}
void sleep(Wave& w, const Instruction&) {
    w.yields = true;
}
void nothing(Wave&, const Instruction&) {}
void trap(Wave& w, const Instruction&) {
    w.failure = "the program stopped itself (a trap: assert or abort)";
}

void index_on(Wave& w, const Instruction& in) {
    w.index_mode = in.immediate >> 8U & 15U;
    w.gpr_index = scalar32(w, in.operand[0]) & 0xffU;
    w.s[kM0] = (w.s[kM0] & ~0xf0ffU) | w.index_mode << 12U | w.gpr_index;
}
void index_value(Wave& w, const Instruction& in) {
    w.gpr_index = scalar32(w, in.operand[0]) & 0xffU;
    w.s[kM0] = (w.s[kM0] & ~0xffU) | w.gpr_index;
}
void index_off(Wave& w, const Instruction&) {
    w.index_mode = 0;
}

/// hwreg(ID, OFFSET, SIZE): 6, 5 and 5 bits of the encoding.
struct Field {
    u32 id;
    u32 offset;
    u32 mask;
};
Field hardware_field(const Instruction& in) {
    const u32 size = (in.immediate >> 11U) + 1;
    return {in.immediate & 63U, in.immediate >> 6U & 31U, size >= 32 ? ~0U : (1U << size) - 1U};
}

constexpr u32 kModeRegister = 1;
constexpr u32 kHardwareId = 4;
constexpr u32 kXccId = 20;

void get_register(Wave& w, const Instruction& in) {
    const Field field = hardware_field(in);
    if (field.id != kModeRegister && field.id != kHardwareId && field.id != kXccId) {
        w.failure = "reads a hardware register that is not modelled";
        return;
    }
    const u32 value = field.id == kModeRegister ? w.mode : 0;
    w.s[in.operand[0].index] = value >> field.offset & field.mask;
}

void set_register(Wave& w, const Instruction& in, u32 value) {
    const Field field = hardware_field(in);
    if (field.id != kModeRegister) {
        w.failure = "writes a hardware register that is not modelled";
        return;
    }
    w.mode = (w.mode & ~(field.mask << field.offset)) | (value & field.mask) << field.offset;
    w.yields = true; // the host's rounding mode is set when a wave goes on
}
void set_register_from_scalar(Wave& w, const Instruction& in) {
    set_register(w, in, scalar32(w, in.operand[1]));
}

constexpr Row
plain(std::string_view name, Handler run, Unit unit = Unit::other, u16 flags = kNoFlag) {
    Row row;
    row.name = name;
    row.run = run;
    row.unit = unit;
    row.flags = flags;
    return row;
}

constexpr Row with(Row row, OperandSpec first, OperandSpec second = {}) {
    row.operands[0] = first;
    row.operands[1] = second;
    row.taint = Taint::none;
    return row;
}

constexpr OperandSpec kLabel{Role::text, Type::none};
constexpr OperandSpec kText{Role::text, Type::none};
constexpr OperandSpec kPair{Role::write, Type::b64};
constexpr OperandSpec kPairIn{Role::read, Type::b64};
constexpr OperandSpec kWordIn{Role::read, Type::b32};
constexpr OperandSpec kWord{Role::write, Type::b32};

constexpr Row kRows[] = {
    with(plain("s_branch", &branch<When::always>, Unit::branch, kTerminator), kLabel),
    with(plain("s_cbranch_scc0", &branch<When::scc0>, Unit::branch), kLabel),
    with(plain("s_cbranch_scc1", &branch<When::scc1>, Unit::branch), kLabel),
    with(plain("s_cbranch_vccz", &branch<When::vccz>, Unit::branch), kLabel),
    with(plain("s_cbranch_vccnz", &branch<When::vccnz>, Unit::branch), kLabel),
    with(plain("s_cbranch_execz", &branch<When::execz>, Unit::branch), kLabel),
    with(plain("s_cbranch_execnz", &branch<When::execnz>, Unit::branch), kLabel),
    with(plain("s_getpc_b64", &get_pc, Unit::salu), kPair),
    with(plain("s_setpc_b64", &set_pc, Unit::branch, kTerminator), kPairIn),
    with(plain("s_swappc_b64", &swap_pc, Unit::branch), kPair, kPairIn),
    with(plain("s_call_b64", &call, Unit::branch), kPair, kWordIn),
    plain("s_endpgm", &end_program, Unit::branch, kTerminator),
    plain("s_barrier", &barrier, Unit::branch),
    with(plain("s_sleep", &sleep), kText),
    with(plain("s_nop", &nothing), kText),
    with(plain("s_waitcnt", &nothing), kText),
    with(plain("s_setprio", &nothing), kText),
    plain("s_icache_inv", &nothing),
    with(plain("s_trap", &trap, Unit::branch), kText),
    with(plain("s_set_gpr_idx_on", &index_on, Unit::salu), kWordIn, kText),
    with(plain("s_set_gpr_idx_idx", &index_value, Unit::salu), kWordIn),
    plain("s_set_gpr_idx_off", &index_off, Unit::salu),
    with(plain("s_getreg_b32", &get_register, Unit::salu), kWord, kText),
    with(plain("s_setreg_b32", &set_register_from_scalar, Unit::salu), kText, kWordIn),
    with(plain("s_setreg_imm32_b32", &set_register_from_scalar, Unit::salu), kText, kWordIn),
    // Caches and write-back are not modelled: memory is always coherent.
    plain("buffer_wbl2", &nothing),
    plain("buffer_inv", &nothing),
};

} // namespace

std::span<const Row> flow_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
