#include "checks/definedness.hpp"

#include "checks/waits.hpp"
#include "machine/dpp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace kbuild::emulator {
namespace {

constexpr u32 kAll = ~0U;

bool reads(const Operand& o) {
    return o.role == Role::read || o.role == Role::update;
}
bool writes(const Operand& o) {
    return o.role == Role::write || o.role == Role::update;
}

bool ignores_exec(const Instruction& in) {
    return (in.row->flags & kAnyExec) != 0;
}

/// Which bits of a 32-bit source an instruction looks at.
u32 used_bits(const Instruction& in, const Operand& o, Type type) {
    if (o.sdwa < 4)
        return 0xffU << (8 * o.sdwa);
    if (o.sdwa < 6)
        return 0xffffU << (16 * (o.sdwa - 4));
    const bool half = (type == Type::b16 || type == Type::f16) && (in.row->flags & kPacked) == 0;
    return half ? 0xffffU << ((o.select & 1U) != 0 ? 16 : 0) : kAll;
}

/// Lanes that the instruction writes in its destination.
u64 written_lanes(const Wave& w, const Instruction& in) {
    if (ignores_exec(in))
        return ~u64{0};
    if (in.dpp == Dpp::none)
        return w.exec();
    u64 lanes = 0;
    for (u32 i = 0; i < kLanes; ++i) {
        const bool on =
            (in.row_mask >> (i / 16) & 1) != 0 && (in.bank_mask >> (i / 4 % 4) & 1) != 0;
        const u32 source = dpp_source(in, i);
        const bool valid = source < kLanes && (w.exec() >> source & 1) != 0;
        if (on && (valid || in.bound_control))
            lanes |= u64{1} << i;
    }
    return lanes & w.exec();
}

bool is_mixed_half(const Instruction& in) {
    return (in.row->flags & kMixed) != 0 && in.row->operands[0].role == Role::update;
}

/// A 16-bit result that leaves the other half alone, or an SDWA result that does.
u32 result_bits(const Instruction& in) {
    if (is_mixed_half(in))
        return in.row->name.ends_with("mixhi_f16") ? 0xffff0000U : 0xffffU;
    const Type type = in.row->operands[0].type;
    if (in.sdwa && in.sdwa_result != 6)
        return in.sdwa_result < 4 ? 0xffU << (8 * in.sdwa_result)
                                  : 0xffffU << (16 * (in.sdwa_result - 4U));
    if ((type == Type::b16 || type == Type::f16) && (in.row->flags & kPacked) == 0)
        return in.half_select ? 0xffff0000U : 0xffffU;
    return kAll;
}

bool keeps_rest(const Instruction& in) {
    if (in.sdwa && in.sdwa_result != 6)
        return in.sdwa_unused == 2;
    return in.half_select || (in.row->flags & kHalfResult) != 0 || is_mixed_half(in);
}

using ScalarBits = std::array<u32, kScalars>; ///< undefined bits of the scalar registers

u32 undefined_bits(const ScalarBits& scalar, const Operand& o, u32 word) {
    return o.place == Place::scalar && word < o.words ? scalar[o.index + word] : 0U;
}

u32 scalar_value(const Wave& w, const Operand& o, u32 word) {
    if (o.place == Place::constant)
        return static_cast<u32>(o.value >> (32 * word));
    return word < o.words ? w.s[o.index + word] : 0U;
}

bool reads_scc(const Row& row) {
    return row.name.starts_with("s_cselect") || row.name.starts_with("s_addc") ||
           row.name.starts_with("s_subb");
}

bool keeps_scc(const Row& row) {
    return row.name.starts_with("s_mov") || row.name.starts_with("s_cselect") ||
           row.name.starts_with("s_getpc") || row.name.starts_with("s_swappc");
}

/// Undefined bits of what a scalar instruction reads.
struct ScalarSources {
    std::array<u32, 2> merged{}; ///< of the low and the high words
    u32 any = 0;                 ///< of all words and SCC
    bool scc = false;            ///< whether SCC is undefined and read
};

ScalarSources merged_sources(const ScalarBits& scalar, const Instruction& in) {
    ScalarSources sources;
    sources.scc = scalar[kScc] != 0 && reads_scc(*in.row);
    sources.any = sources.scc ? scalar[kScc] : 0;
    for (u32 i = 0; i < in.operands; ++i)
        for (u32 word = 0; word < in.operand[i].words && reads(in.operand[i]); ++word) {
            const u32 bits = undefined_bits(scalar, in.operand[i], word);
            sources.merged[word & 1U] |= bits;
            sources.any |= bits;
        }
    return sources;
}

/// One side of an and or an or.
struct Side {
    u32 value;
    u32 undefined;
};

/// Undefined bits of `a & b`: a bit stays defined where a defined 0 on the other side decides it.
/// For `a | b`, which a 1 decides, the values come inverted.
u32 undecided(Side a, Side b) {
    return (a.undefined & (b.value | b.undefined)) | (b.undefined & (a.value | a.undefined));
}

std::array<u32, 2> scalar_result(const Wave& w,
                                 const ScalarBits& scalar,
                                 const Instruction& in,
                                 const ScalarSources& sources) {
    const Taint taint = in.row->taint;
    const bool and_not = in.row->name.starts_with("s_andn2_b");
    const bool or_not = in.row->name.starts_with("s_orn2_b");
    if (taint == Taint::bits_and || taint == Taint::bits_or || and_not || or_not) {
        const Operand& a = in.operand[1];
        const Operand& b = in.operand[2];
        const u32 flip = taint == Taint::bits_or || or_not ? kAll : 0U;
        const u32 inverted = and_not || or_not ? kAll : 0U;
        std::array<u32, 2> result{};
        for (u32 word = 0; word < 2; ++word)
            result[word] = undecided(
                {scalar_value(w, a, word) ^ flip, undefined_bits(scalar, a, word)},
                {scalar_value(w, b, word) ^ inverted ^ flip, undefined_bits(scalar, b, word)});
        return result;
    }
    if (taint == Taint::any || sources.scc) {
        const u32 all = sources.any != 0 ? kAll : 0;
        return {all, all};
    }
    return taint == Taint::none ? std::array<u32, 2>{} : sources.merged;
}

/// Returns whether EXEC is among what is written.
bool write_scalars(ScalarBits& scalar, const Instruction& in, const std::array<u32, 2>& result) {
    bool to_exec = false;
    for (u32 i = 0; i < in.operands; ++i) {
        const Operand& o = in.operand[i];
        if (!writes(o) || o.place != Place::scalar)
            continue;
        for (u32 word = 0; word < o.words; ++word) {
            const u32 index = o.index + word;
            scalar[index] = result[word & 1U];
            to_exec = to_exec || index == kExec || index == kExec + 1U;
        }
    }
    return to_exec;
}

/// A mask has one bit per lane, or is a word.
void write_mask(const Wave& w, ScalarBits& scalar, const Operand& o, const Register& bits) {
    u64 undefined = 0;
    for (u32 lane = 0; lane < kLanes; ++lane)
        undefined |= u64{bits.lane[lane] != 0 && (w.exec() >> lane & 1) != 0} << lane;
    if (o.words == 1) {
        scalar[o.index] = undefined != 0 ? kAll : 0;
        return;
    }
    scalar[o.index] = static_cast<u32>(undefined);
    if (o.words == 2)
        scalar[o.index + 1U] = static_cast<u32>(undefined >> 32U);
}

u32 lane_value(const Wave& w, const Operand& o, u32 lane) {
    if (o.place == Place::vector)
        return w.v[o.index].lane[lane];
    return o.place == Place::constant ? static_cast<u32>(o.value) : w.s[o.index];
}

/// The lines of A and of B that an element of D depends on.
struct MatrixLines {
    u32 a;
    u32 b;
};

MatrixLines matrix_lines(const Row& row, u32 word, u32 lane) {
    const u32 size = row.matrix_size;
    const u32 per_block = size == 32 ? 16 : 4;
    const u32 block = size == 4 ? lane / 4 : word / per_block;
    const u32 base = row.matrix_blocks == 1 ? 0 : block * size;
    const u32 r = word % per_block;
    const u32 i = size == 32   ? 8 * (r / 4) + 4 * (lane / 32) + r % 4
                  : size == 16 ? 4 * (lane / 16) + r
                               : r;
    return {base + i, base + lane % size};
}

} // namespace

Definedness::Definedness(u32 waves, u32 registers, u32 lds_bytes, u32 scratch_bytes)
    : registers_(registers), lds_bytes_(lds_bytes), scratch_bytes_(scratch_bytes), waves_(waves),
      lds_(lds_bytes, 0xff), scratch_(std::size_t{scratch_bytes} * kLanes * waves, 0xff) {}

void Definedness::begin_group() {
    std::fill(lds_.begin(), lds_.end(), u8{0xff});
    std::fill(scratch_.begin(), scratch_.end(), u8{0xff});
}

void Definedness::begin_wave(Wave& w, const std::array<bool, kScalars>& set) {
    WaveState& s = waves_[w.number];
    s.dirty.fill(~u64{0});
    std::memset(&shadow(w, 1), 0xff, sizeof(Register) * (registers_ - 1));
    std::memset(&shadow(w, 0), 0, sizeof(Register));
    set_dirty(s, 0, false);
    for (u32 i = 0; i < kScalars; ++i)
        s.scalar[i] = set[i] ? 0 : kAll;
}

/// A register whose shadow is all zeros is clean.
void Definedness::refresh(Wave& w, WaveState& s, u32 row) const {
    u32 any = 0;
    for (const u32 word : shadow(w, row).lane)
        any |= word;
    set_dirty(s, row, any != 0);
}

bool Definedness::any_source_dirty(const WaveState& s, const Instruction& in) const {
    for (u32 i = 0; i < in.operands; ++i) {
        const Operand& o = in.operand[i];
        if (!reads(o))
            continue;
        for (u32 word = 0; word < o.words; ++word) {
            if (o.place == Place::vector && is_dirty(s, o.index + word))
                return true;
            if (o.place == Place::scalar && s.scalar[o.index + word] != 0)
                return true;
        }
    }
    return (in.row->flags & kReadsVcc) != 0 && (s.scalar[kVcc] | s.scalar[kVcc + 1]) != 0;
}

/// All sources are defined, so what is written is.
void Definedness::clear_results(Wave& w, WaveState& s, const Instruction& in) const {
    const u64 lanes = written_lanes(w, in);
    for (u32 i = 0; i < in.operands; ++i) {
        const Operand& o = in.operand[i];
        if (!writes(o))
            continue;
        for (u32 word = 0; word < o.words; ++word) {
            const u32 row = o.index + word;
            if (o.place == Place::scalar) {
                s.scalar[row] = 0;
            } else if (is_dirty(s, row)) {
                const u32 keep = keeps_rest(in) ? ~result_bits(in) : 0;
                for (u64 mask = lanes; mask != 0; mask &= mask - 1)
                    shadow(w, row).lane[std::countr_zero(mask)] &= keep;
                refresh(w, s, row);
            }
        }
    }
}

void Definedness::check_branch(const WaveState& s,
                               const Instruction& in,
                               const Reporter& report) const {
    const std::string_view name = in.row->name;
    const bool scc = name.find("_scc") != std::string_view::npos && s.scalar[kScc] != 0;
    const bool vcc =
        name.find("_vcc") != std::string_view::npos && (s.scalar[kVcc] | s.scalar[kVcc + 1]) != 0;
    const bool jump =
        in.operands > 0 && reads(in.operand[in.operands - 1]) && any_source_dirty(s, in);
    if (scc || vcc || jump)
        report("undefined",
               jump ? "jumps to an address that depends on an uninitialised value"
                    : "a branch depends on an uninitialised value");
}

/// EXEC decides which lanes go on: a value that is not defined must not reach it.
void Definedness::check_exec(Wave& w,
                             WaveState& s,
                             const Instruction& in,
                             const Reporter& report) const {
    const bool implicit = (in.row->flags & kWritesExec) != 0 && in.row->unit == Unit::salu;
    u64 bits = s.scalar[kExec] | u64{s.scalar[kExec + 1]} << 32U;
    if (implicit) {
        const Operand& o = in.operand[1];
        const u64 source =
            o.place == Place::scalar ? s.scalar[o.index] | u64{s.scalar[o.index + 1U]} << 32U : 0;
        bits = in.row->name.starts_with("s_and_") || in.row->name.starts_with("s_andn2")
                   ? source & w.exec()
                   : source;
    }
    if (bits != 0)
        report("undefined",
               "which lanes go on depends on an uninitialised value",
               std::countr_zero(bits));
    s.scalar[kExec] = 0;
    s.scalar[kExec + 1] = 0;
}

void Definedness::scalar_step(Wave& w,
                              WaveState& s,
                              const Instruction& in,
                              const Reporter& report) const {
    const Row& row = *in.row;
    const ScalarSources sources = merged_sources(s.scalar, in);
    const std::array<u32, 2> result = scalar_result(w, s.scalar, in, sources);
    if (row.unit == Unit::salu && !keeps_scc(row)) {
        const bool compares = in.operands > 0 && !writes(in.operand[0]);
        const bool undefined = (result[0] | result[1]) != 0 || (compares && sources.any != 0);
        s.scalar[kScc] = undefined ? 1 : 0;
    }
    if ((row.flags & kWritesExec) != 0) {
        check_exec(w, s, in, report);
        write_scalars(s.scalar, in, {0, 0});
    } else if (write_scalars(s.scalar, in, result)) {
        check_exec(w, s, in, report);
    }
}

/// The shadow of one source word, moved as SDWA, DPP and op_sel say.
void Definedness::source_bits(
    Wave& w, const WaveState& s, const Instruction& in, u32 index, u32 word, Register& bits) const {
    const Operand& o = in.operand[index];
    std::memset(&bits, 0, sizeof bits);
    if (o.place == Place::scalar) {
        const bool mask = in.row->operands[index].type == Type::mask;
        for (u32 lane = 0; lane < kLanes; ++lane)
            bits.lane[lane] = mask ? 0U - (s.scalar[o.index + lane / 32] >> (lane % 32) & 1U)
                                   : s.scalar[o.index + word];
        return;
    }
    if (o.place != Place::vector || !is_dirty(s, o.index + word))
        return;
    const Register& from = shadow(w, o.index + word);
    const u32 used = used_bits(in, o, in.row->operands[index].type);
    const bool moved = in.dpp != Dpp::none && index == in.source0;
    for (u32 lane = 0; lane < kLanes; ++lane) {
        const u32 source = moved ? dpp_source(in, lane) : lane;
        bits.lane[lane] = source < kLanes ? from.lane[source] & used : 0;
    }
}

void Definedness::write_result(
    Wave& w, WaveState& s, const Instruction& in, const Register& low, const Register& high) const {
    const u64 lanes = written_lanes(w, in);
    const u32 part = result_bits(in);
    const u32 kept = keeps_rest(in) ? ~part : 0U;
    for (u32 i = 0; i < in.operands; ++i) {
        const Operand& o = in.operand[i];
        if (!writes(o))
            continue;
        if (o.place == Place::scalar) {
            write_mask(w, s.scalar, o, high);
            continue;
        }
        for (u32 word = 0; word < o.words; ++word) {
            Register& to = shadow(w, o.index + word);
            const Register& bits = word == 0 ? low : high;
            for (u64 mask = lanes; mask != 0; mask &= mask - 1) {
                const auto lane = static_cast<u32>(std::countr_zero(mask));
                to.lane[lane] = (bits.lane[lane] & part) | (to.lane[lane] & kept);
            }
            refresh(w, s, o.index + word);
        }
    }
}

void Definedness::merge_sources(Wave& w,
                                const WaveState& s,
                                const Instruction& in,
                                Register& total) const {
    for (u32 i = 0; i < in.operands; ++i) {
        // The part that is written anew does not depend on what was there.
        if (!reads(in.operand[i]) || (i == 0 && keeps_rest(in)))
            continue;
        for (u32 word = 0; word < std::max<u32>(in.operand[i].words, 1); ++word) {
            Register bits;
            source_bits(w, s, in, i, word, bits);
            for (u32 lane = 0; lane < kLanes; ++lane)
                total.lane[lane] |= bits.lane[lane];
        }
    }
    if ((in.row->flags & kReadsVcc) != 0)
        for (u32 lane = 0; lane < kLanes; ++lane)
            total.lane[lane] |= s.scalar[kVcc + lane / 32] >> (lane % 32) & 1U;
}

void Definedness::combine_bitwise(Wave& w,
                                  const WaveState& s,
                                  const Instruction& in,
                                  Register& total) const {
    Register a;
    Register b;
    source_bits(w, s, in, 1, 0, a);
    source_bits(w, s, in, 2, 0, b);
    const u32 flip = in.row->taint == Taint::bits_or ? kAll : 0U;
    for (u32 lane = 0; lane < kLanes; ++lane)
        total.lane[lane] = undecided({lane_value(w, in.operand[1], lane) ^ flip, a.lane[lane]},
                                     {lane_value(w, in.operand[2], lane) ^ flip, b.lane[lane]});
}

/// The general rule, and and/or/xor bit by bit.
void Definedness::combine(Wave& w, WaveState& s, const Instruction& in) const {
    const Taint taint = in.row->taint;
    const bool plain =
        in.operand[1].plain() && in.operand[2].plain() && in.dpp == Dpp::none && !in.sdwa;
    Register total{};
    if ((taint == Taint::bits_and || taint == Taint::bits_or) && plain) {
        combine_bitwise(w, s, in, total);
    } else {
        merge_sources(w, s, in, total);
        if (taint != Taint::merge || !plain)
            for (u32& word : total.lane)
                word = word != 0 ? kAll : 0;
    }
    write_result(w, s, in, total, total);
}

/// A carry only goes up: bits below the lowest undefined one are defined.
void Definedness::combine_upward(Wave& w, WaveState& s, const Instruction& in) const {
    std::array<u64, kLanes> total{};
    for (u32 i = 0; i < in.operands; ++i) {
        const Operand& o = in.operand[i];
        if (!reads(o))
            continue;
        for (u32 word = 0; word < std::max<u32>(o.words, 1); ++word) {
            Register bits;
            source_bits(w, s, in, i, word, bits);
            const u32 shift =
                o.words == 2 && in.row->operands[i].type != Type::mask ? 32 * word : 0;
            for (u32 lane = 0; lane < kLanes; ++lane)
                total[lane] |= u64{bits.lane[lane]} << shift;
        }
    }
    Register low;
    Register high;
    for (u32 lane = 0; lane < kLanes; ++lane) {
        const u64 spread = total[lane] | (~total[lane] + 1);
        low.lane[lane] = static_cast<u32>(spread);
        high.lane[lane] = static_cast<u32>(spread >> 32U);
    }
    write_result(w, s, in, low, high);
}

/// Runs the instruction itself on the shadows of its data operands.
void Definedness::run_twin(Wave& w, WaveState& s, const Instruction& in) const {
    Instruction twin = in;
    twin.clamp = false;
    twin.output_scale = 0;
    twin.operand[0].index = static_cast<u16>(in.operand[0].index + registers_);
    for (u32 i = 1; i < in.operands; ++i) {
        Operand& o = twin.operand[i];
        if ((in.row->data >> i & 1U) == 0)
            continue;
        o.negate = 0;
        o.absolute = false;
        if (o.place == Place::vector) {
            o.index = static_cast<u16>(o.index + registers_);
            continue;
        }
        const u64 low = o.place == Place::scalar ? s.scalar[o.index] : 0;
        const u64 high = o.place == Place::scalar && o.words > 1 ? s.scalar[o.index + 1U] : 0;
        o.place = Place::constant;
        o.value = low | high << 32U;
    }
    const bool yields = w.yields;
    twin.run(w, twin);
    w.yields = yields;
    for (u32 word = 0; word < in.operand[0].words; ++word)
        refresh(w, s, in.operand[0].index + word);
    // An undefined shift, selector or mask makes everything undefined.
    bool control = false;
    for (u32 i = 1; i < in.operands; ++i) {
        const Operand& o = in.operand[i];
        for (u32 word = 0; word < o.words && (in.row->data >> i & 1U) == 0; ++word)
            control = control || (o.place == Place::vector && is_dirty(s, o.index + word)) ||
                      (o.place == Place::scalar && s.scalar[o.index + word] != 0);
    }
    if (control)
        combine(w, s, in);
}

bool Definedness::is_undefined(Wave& w, const WaveState& s, u32 row, u32 lane) const {
    return is_dirty(s, row) && shadow(w, row).lane[lane] != 0;
}

std::array<bool, kLanes> Definedness::undefined_lines(Wave& w,
                                                      const WaveState& s,
                                                      const Instruction& in,
                                                      const Operand& o) const {
    std::array<bool, kLanes> line{};
    for (u32 word = 0; word < o.words; ++word)
        for (u32 lane = 0; lane < kLanes; ++lane)
            if (is_undefined(w, s, o.index + word, lane))
                line[in.row->matrix_blocks == 1 ? lane % in.row->matrix_size : lane] = true;
    return line;
}

/// D[i][n] depends on row i of A, column n of B and C[i][n].
void Definedness::matrix_step(Wave& w, WaveState& s, const Instruction& in) const {
    if (in.row->matrix_size == 0) {
        combine(w, s, in);
        return;
    }
    const auto a = undefined_lines(w, s, in, in.operand[1]);
    const auto b = undefined_lines(w, s, in, in.operand[2]);
    const Operand& c = in.operand[3];
    const Operand& d = in.operand[0];
    for (u32 word = 0; word < d.words; ++word)
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const MatrixLines on = matrix_lines(*in.row, word, lane);
            const bool from_c =
                c.place == Place::vector && is_undefined(w, s, c.index + word, lane);
            shadow(w, d.index + word).lane[lane] = a[on.a] || b[on.b] || from_c ? kAll : 0;
        }
    for (u32 word = 0; word < d.words; ++word)
        refresh(w, s, d.index + word);
}

/// v_readlane, v_readfirstlane, v_writelane and v_swap.
void Definedness::lane_step(Wave& w, WaveState& s, const Instruction& in) const {
    const std::string_view name = in.row->name;
    const auto scalar_bits = [&](const Operand& o) {
        return o.place == Place::scalar ? s.scalar[o.index] : 0U;
    };
    const auto lane_number = [&](const Operand& o) {
        return (o.place == Place::constant ? static_cast<u32>(o.value) : w.s[o.index]) % kLanes;
    };
    const Operand& first = in.operand[0];
    const Operand& second = in.operand[1];
    if (name == "v_readlane_b32") {
        s.scalar[first.index] =
            shadow(w, second.index).lane[lane_number(in.operand[2])] | scalar_bits(in.operand[2]);
    } else if (name == "v_readfirstlane_b32") {
        const u32 lane = w.exec() == 0 ? 0 : static_cast<u32>(std::countr_zero(w.exec()));
        s.scalar[first.index] = second.place == Place::vector ? shadow(w, second.index).lane[lane]
                                                              : scalar_bits(second);
    } else if (name == "v_writelane_b32") {
        shadow(w, first.index).lane[lane_number(in.operand[2])] = scalar_bits(second);
        refresh(w, s, first.index);
    } else if (name == "v_swap_b32") {
        for (u64 mask = w.exec(); mask != 0; mask &= mask - 1)
            std::swap(shadow(w, first.index).lane[std::countr_zero(mask)],
                      shadow(w, second.index).lane[std::countr_zero(mask)]);
        refresh(w, s, first.index);
        refresh(w, s, second.index);
    }
}

void Definedness::vector_step(Wave& w, WaveState& s, const Instruction& in) const {
    if (in.row->taint == Taint::custom) {
        lane_step(w, s, in);
        return;
    }
    // v_xor_b32 v0, v1, v1 is a way to write 0.
    const bool dirty = any_source_dirty(s, in);
    if (!dirty) {
        clear_results(w, s, in);
        return;
    }
    if (in.row->unit == Unit::mfma)
        matrix_step(w, s, in);
    else if (in.row->taint == Taint::same)
        run_twin(w, s, in);
    else if (in.row->taint == Taint::upward && in.dpp == Dpp::none && !in.sdwa)
        combine_upward(w, s, in);
    else
        combine(w, s, in);
}

void Definedness::before(Wave& w, const Instruction& in, const Reporter& report) {
    WaveState& s = waves_[w.number];
    switch (in.row->unit) {
    case Unit::branch:
        check_branch(s, in, report);
        scalar_step(w, s, in, report);
        return;
    case Unit::salu:
        scalar_step(w, s, in, report);
        return;
    case Unit::valu:
    case Unit::trans:
    case Unit::mfma:
        vector_step(w, s, in);
        if ((in.row->flags & kWritesExec) != 0)
            check_exec(w, s, in, report);
        return;
    case Unit::lds:
        if (in.row->bytes == 0)
            vector_step(w, s, in);
        return;
    default:
        return;
    }
}

} // namespace kbuild::emulator
