#pragma once

#include "machine/types.hpp"

#include <string>
#include <string_view>

namespace kbuild::emulator {

struct Wave;
struct Instruction;

/// Executes one instruction on a wave; everything it needs is in the two.
using Handler = void (*)(Wave&, const Instruction&);

/// How a value is read from or written to registers. Constants (`1.0`) depend on it too.
enum class Type : u8 { none, b16, f16, b32, f32, b64, f64, b96, b128, mask, b256, b512, b1024 };

constexpr u32 words_of(Type type) {
    switch (type) {
    case Type::none:
        return 0;
    case Type::b64:
    case Type::f64:
    case Type::mask:
        return 2;
    case Type::b96:
        return 3;
    case Type::b128:
        return 4;
    case Type::b256:
        return 8;
    case Type::b512:
        return 16;
    case Type::b1024:
        return 32;
    default:
        return 1;
    }
}

/// What an operand is to its instruction.
enum class Role : u8 {
    none,
    write,  ///< result
    read,   ///< source
    update, ///< read and written (v_fmac_f32)
    text    ///< something else that the row's handler looks at: labels, hwreg(...)
};

struct OperandSpec {
    Role role = Role::none;
    Type type = Type::none;
};

enum class Place : u8 { none, scalar, vector, constant, off };

/// One decoded operand.
struct Operand {
    Place place = Place::none;
    u8 words = 0;  ///< registers that it names
    u16 index = 0; ///< first register: scalar file 0-127, or row of the wave's vector file
    u8 negate = 0; ///< bit 0: low (or only) half, bit 1: high half of packed operands
    bool absolute = false;
    u8 select = 0; ///< op_sel: bit 0 for the low result, bit 1 (op_sel_hi) for the high one
    u8 sdwa = 6;   ///< SDWA: 0-3 byte, 4-5 word, 6 all
    bool sign_extend = false;
    Role role = Role::none;
    u64 value = 0; ///< of a constant, in the operand's type

    bool plain() const { return negate == 0 && !absolute && select == 0 && sdwa == 6; }
};

/// The unit that executes an instruction; decides counters, hazards and statistics.
enum class Unit : u8 {
    salu,
    smem,
    valu,
    trans,
    mfma,
    lds,
    global,
    flat,
    scratch,
    buffer,
    branch,
    other
};

std::string_view unit_name(Unit unit);

/// How far a row's result can be trusted.
enum class Fidelity : u8 {
    exact,       ///< bit for bit what the oracle says
    approximate, ///< within the bound that the ISA gives; the hardware's last bit is not known
};

/// How undefined bits travel through an instruction (checks/definedness).
enum class Taint : u8 {
    any,      ///< one undefined bit of a source makes the lane's whole result undefined
    same,     ///< the instruction itself, run on the undefined bits, tells (moves, shifts, or)
    merge,    ///< bit by bit: undefined where a source is (xor, not)
    upward,   ///< sums and products: a bit depends on the sources' bits up to it
    bits_and, ///< as merge, but a defined 0 makes the bit defined
    bits_or,  ///< as merge, but a defined 1 makes the bit defined
    custom,   ///< memory: what was stored there
    none      ///< the result is always defined
};

/// Two more facts for hazards.
enum RowFlag : u16 {
    kNoFlag = 0,
    kReadsVcc = 1,   ///< implicitly
    kWritesExec = 2, ///< implicitly (v_cmpx)
    kStore = 4,      ///< memory: writes, gives nothing back
    kAtomic = 8,     ///< memory: reads and writes
    kDppRow = 16,
    kPacked = 32,      ///< VOP3P: op_sel and op_sel_hi choose halves, neg_lo and neg_hi
    kXdl = 64,         ///< runs on the matrix unit for narrow types (hazards differ)
    kAnyExec = 128,    ///< ignores EXEC
    kHalfResult = 256, ///< 16-bit result that keeps the other half of the register
    kCompare = 512,
    kTerminator = 1024, ///< nothing follows
    kSaturates = 2048,  ///< integer result whose `clamp` the handler looks at
    kReadsM0 = 4096,
    kReadsExec = 8192, ///< as a value
    kMixed = 16384,    ///< v_fma_mix: op_sel_hi says that a source is a half
    kDouble = 32768    ///< MFMA: f64 (hazards differ)
};

/// One row per instruction: adding one takes a row, a handler and a test.
struct Row {
    std::string_view name; ///< without the suffixes _e32, _e64, _sdwa and _dpp
    Handler run = nullptr;
    OperandSpec operands[6] = {};
    Unit unit = Unit::valu;
    Fidelity fidelity = Fidelity::exact;
    Taint taint = Taint::any;
    u8 data = 0; ///< Taint::same: bit i is set if operand i is data, not a shift or a selector
    u16 flags = kNoFlag;
    u8 passes = 0;                ///< MFMA: cycles / 4
    u8 bytes = 0;                 ///< memory: per lane and access
    u8 matrix_size = 0;           ///< MFMA: rows of D in a block
    u8 matrix_blocks = 0;         ///< MFMA: independent products
    std::string_view oracle = {}; ///< what the row's test compares with
};

enum class Dpp : u8 {
    none,
    quad_perm,
    row_shl,
    row_shr,
    row_ror,
    wave_shl,
    wave_rol,
    wave_shr,
    wave_ror,
    row_mirror,
    row_half_mirror,
    row_bcast15,
    row_bcast31,
    row_newbcast
};

/// A decoded instruction.
struct Instruction {
    Handler run = nullptr;
    const Row* row = nullptr;
    Operand operand[6];
    u64 address = 0; ///< in the loaded image
    u32 target = 0;  ///< branches: index of the next instruction
    i32 offset = 0;
    u16 offset0 = 0;
    u16 offset1 = 0;
    u32 immediate = 0; ///< low 16 bits of the encoding: what a `text` operand says
    u8 source0 = 1;    ///< the operand that DPP and SDWA's src0_sel are about
    u8 size = 0;       ///< in bytes
    u8 operands = 0;
    bool clamp = false;
    u8 output_scale = 0;  ///< omod: 1 *2, 2 *4, 3 /2
    bool returns = false; ///< sc0: an atomic gives the old value back
    bool sdwa = false;
    u8 sdwa_result = 6;
    u8 sdwa_unused = 0;          ///< 0 zero, 1 sign, 2 preserve
    bool offset_enabled = false; ///< buffer: offen
    bool index_enabled = false;  ///< buffer: idxen
    bool to_lds = false;         ///< buffer ... lds
    bool half_select = false;    ///< op_sel chose the high half of the destination
    Dpp dpp = Dpp::none;
    u8 dpp_value = 0;
    u8 row_mask = 15;
    u8 bank_mask = 15;
    bool bound_control = false;
    u8 cbsz = 0;
    u8 abid = 0;
    u8 blgp = 0;
    bool index_source0 = false; ///< s_set_gpr_idx_on
    u32 id = 0;                 ///< number within its Program
    std::string text;           ///< as LLVM prints it, for findings
    std::string problem;        ///< why it can't be executed; only of instructions that can't
};

} // namespace kbuild::emulator
