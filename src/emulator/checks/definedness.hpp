#pragma once

#include "checks/bounds.hpp"
#include "checks/reporter.hpp"
#include "machine/group.hpp"

#include <array>
#include <vector>

namespace kbuild::emulator {

/// Follows undefined bits: every register, LDS and scratch byte has a shadow whose set bits are
/// undefined, memory has a bit per byte. Undefined values may be moved and computed with; what is
/// reported is one that decides a branch or an address, or is stored to memory.
///
/// The shadow of vector register r is register `registers + r` of the wave.
class Definedness {
  public:
    Definedness(u32 waves, u32 registers, u32 lds_bytes, u32 scratch_bytes);

    void begin_group();
    void begin_wave(Wave& w, const std::array<bool, kScalars>& set);
    /// Before an instruction that does not access memory.
    void before(Wave& w, const Instruction& in, const Reporter& report);
    /// A memory access, after the bounds are checked; `lanes` take part.
    void access(Wave& w, const Instruction& in, u64 lanes, Bounds& bounds, const Reporter& report);

  private:
    struct WaveState {
        std::array<u64, 16> dirty{};        ///< bit per vector register: some bit may be undefined
        std::array<u32, kScalars> scalar{}; ///< undefined bits
    };

    bool is_dirty(const WaveState& s, u32 row) const {
        return (s.dirty[row / 64] >> (row % 64) & 1U) != 0;
    }
    void set_dirty(WaveState& s, u32 row, bool on) const {
        const u64 bit = u64{1} << (row % 64);
        s.dirty[row / 64] = on ? s.dirty[row / 64] | bit : s.dirty[row / 64] & ~bit;
    }
    Register& shadow(Wave& w, u32 row) const { return w.v[registers_ + row]; }
    void refresh(Wave& w, WaveState& s, u32 row) const;

    bool any_source_dirty(const WaveState& s, const Instruction& in) const;
    void clear_results(Wave& w, WaveState& s, const Instruction& in) const;
    void check_branch(const WaveState& s, const Instruction& in, const Reporter& report) const;
    void scalar_step(Wave& w, WaveState& s, const Instruction& in, const Reporter& report) const;
    void check_exec(Wave& w, WaveState& s, const Instruction& in, const Reporter& report) const;
    void vector_step(Wave& w, WaveState& s, const Instruction& in) const;
    void run_twin(Wave& w, WaveState& s, const Instruction& in) const;
    void combine(Wave& w, WaveState& s, const Instruction& in) const;
    /// Adds the bits of all sources to `total`.
    void merge_sources(Wave& w, const WaveState& s, const Instruction& in, Register& total) const;
    /// And and or: what the two sources leave undecided.
    void combine_bitwise(Wave& w, const WaveState& s, const Instruction& in, Register& total) const;
    void source_bits(Wave& w,
                     const WaveState& s,
                     const Instruction& in,
                     u32 index,
                     u32 word,
                     Register& bits) const;
    /// `low` for the first word of the result, `high` for the others and for masks.
    void write_result(Wave& w,
                      WaveState& s,
                      const Instruction& in,
                      const Register& low,
                      const Register& high) const;
    void combine_upward(Wave& w, WaveState& s, const Instruction& in) const;
    bool is_undefined(Wave& w, const WaveState& s, u32 row, u32 lane) const;
    /// The rows of A or columns of B with an undefined element: of the matrix, or of all its
    /// blocks.
    std::array<bool, kLanes>
    undefined_lines(Wave& w, const WaveState& s, const Instruction& in, const Operand& o) const;
    void matrix_step(Wave& w, WaveState& s, const Instruction& in) const;
    void lane_step(Wave& w, WaveState& s, const Instruction& in) const;

    void check_address(Wave& w,
                       const WaveState& s,
                       const Instruction& in,
                       u64 lanes,
                       const Reporter& report) const;
    void load(Wave& w, WaveState& s, const Instruction& in, u64 lanes, Bounds& bounds);
    void load_scalars(Wave& w, WaveState& s, const Instruction& in, Bounds& bounds);
    void store(Wave& w,
               WaveState& s,
               const Instruction& in,
               u64 lanes,
               Bounds& bounds,
               const Reporter& report);
    /// Operand `o` is what goes to the access's first or second part.
    void store_operand(Wave& w,
                       const WaveState& s,
                       const Instruction& in,
                       const Operand& o,
                       u32 part,
                       u64 lanes,
                       Bounds& bounds,
                       const Reporter& report);
    /// What an atomic gives back in `o`.
    void load_old_value(Wave& w, WaveState& s, const Operand& o, u64 lanes, Bounds& bounds) const;
    /// Whether that is sure without looking lane by lane.
    bool all_defined(const Wave& w, u64 lanes, Bounds& bounds) const;
    bool define_memory(const Wave& w, u32 part, u64 lanes, Bounds& bounds);
    u32 memory_bits(const Wave& w, u32 lane, u64 address, u32 bytes, Bounds& bounds) const;
    void set_memory(const Wave& w, u32 lane, u64 address, u32 bytes, u32 undefined, Bounds& bounds);
    u8* local(const Wave& w, u32 lane, u64 address, u32 bytes);
    const u8* local(const Wave& w, u32 lane, u64 address, u32 bytes) const;

    u32 registers_;
    u32 lds_bytes_;
    u32 scratch_bytes_;
    std::vector<WaveState> waves_;
    std::vector<u8> lds_; ///< undefined bits of each byte
    std::vector<u8> scratch_;
};

} // namespace kbuild::emulator
