#include "isa/memory.hpp"
#include "isa/rows.hpp"
#include "isa/scalar.hpp"
#include "memory/address.hpp"

#include <algorithm>

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

void load_scalars(Wave& w, const Instruction& in, u64 address, u32 words, u64 limit) {
    begin_access(w, in, Space::global, 1);
    w.access.address[0] = address & ~u64{3};
    w.access.bytes = static_cast<u8>(4 * words);
    const u32 to = in.operand[0].index;
    u32 loaded[16] = {};
    if (admitted(w, in) != 0)
        std::memcpy(loaded, pointer_to(address & ~u64{3}), std::min<u64>(4 * u64{words}, limit));
    std::copy(loaded, loaded + words, w.s + to);
}

/// An offset is a constant, an SGPR or both.
u64 offset_of(const Wave& w, const Instruction& in) {
    return u64{scalar32(w, in.operand[2])} + static_cast<u64>(i64{in.offset});
}

template <u32 Words> void load(Wave& w, const Instruction& in) {
    // A constant offset has 21 bits and a sign, which LLVM prints.
    const Operand& o = in.operand[2];
    const u64 offset =
        o.place == Place::constant ? o.value : u64{w.s[o.index]} + static_cast<u64>(i64{in.offset});
    load_scalars(w, in, scalar64(w, in.operand[1]) + offset, Words, 4 * u64{Words});
}

/// Through a buffer descriptor: reads beyond its end give 0.
template <u32 Words> void buffer_load(Wave& w, const Instruction& in) {
    const u32 d = in.operand[1].index;
    const u64 base = (w.s[d] | u64{w.s[d + 1] & 0xffffU} << 32U);
    const u32 stride = w.s[d + 1] >> 16U & 0x3fffU;
    const u64 size = u64{w.s[d + 2]} * (stride == 0 ? 1 : stride);
    const u64 offset = offset_of(w, in) & ~u64{3};
    if (offset >= size) {
        std::fill_n(w.s + in.operand[0].index, Words, 0U);
        return;
    }
    load_scalars(w, in, base + offset, Words, size - offset);
}

void time(Wave& w, const Instruction& in) {
    w.set_scalar64(in.operand[0].index, w.group->clock);
}
void nothing(Wave&, const Instruction&) {}

constexpr Type result(u32 words) {
    return words == 1   ? Type::b32
           : words == 2 ? Type::b64
           : words == 4 ? Type::b128
           : words == 8 ? Type::b256
                        : Type::b512;
}

template <u32 Words> constexpr Row load_row(std::string_view name, bool buffer) {
    Row row;
    row.name = name;
    row.run = buffer ? &buffer_load<Words> : &load<Words>;
    row.unit = Unit::smem;
    row.taint = Taint::custom;
    row.bytes = 4 * Words;
    row.operands[0] = {Role::write, result(Words)};
    row.operands[1] = {Role::read, buffer ? Type::b128 : Type::b64};
    row.operands[2] = {Role::read, Type::b32};
    return row;
}

constexpr Row time_row(std::string_view name) {
    Row row;
    row.name = name;
    row.run = &time;
    row.unit = Unit::smem;
    row.fidelity = Fidelity::approximate;
    row.oracle = "time is not modelled: counts instructions";
    row.taint = Taint::none;
    row.operands[0] = {Role::write, Type::b64};
    return row;
}

constexpr Row cache_row(std::string_view name) {
    Row row;
    row.name = name;
    row.run = &nothing;
    row.unit = Unit::other;
    return row;
}

constexpr Row kRows[] = {
    load_row<1>("s_load_dword", false),
    load_row<2>("s_load_dwordx2", false),
    load_row<4>("s_load_dwordx4", false),
    load_row<8>("s_load_dwordx8", false),
    load_row<16>("s_load_dwordx16", false),
    load_row<1>("s_buffer_load_dword", true),
    load_row<2>("s_buffer_load_dwordx2", true),
    load_row<4>("s_buffer_load_dwordx4", true),
    load_row<8>("s_buffer_load_dwordx8", true),
    load_row<16>("s_buffer_load_dwordx16", true),
    time_row("s_memtime"),
    time_row("s_memrealtime"),
    cache_row("s_dcache_inv"),
    cache_row("s_dcache_wb"),
    cache_row("s_dcache_inv_vol"),
    cache_row("s_dcache_wb_vol"),
};

} // namespace

std::span<const Row> scalar_memory_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
