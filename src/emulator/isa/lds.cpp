#include "isa/atomics.hpp"
#include "isa/memory.hpp"
#include "isa/rows.hpp"

#include <bit>

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

/// Fills the access from the address operand; an LDS address is 32 bits, the offset 16.
void begin(Wave& w, const Instruction& in, const Operand& address, u32 offset) {
    begin_access(w, in, Space::lds, w.exec());
    const Register& base = w.v[address.index];
    for (u32 i = 0; i < kLanes; ++i)
        w.access.address[i] = base.lane[i] + offset; // wraps at 32 bits
}

template <Item I, u32 Words> void read(Wave& w, const Instruction& in) {
    begin(w, in, in.operand[1], static_cast<u32>(in.offset));
    const u64 lanes = admitted(w, in);
    clear_lanes<Words>(w, in.operand[0].index, w.exec() & ~lanes);
    load_lanes<Space::lds, I, Words>(w, in.operand[0].index, lanes);
}

template <Item I, u32 Words> void write(Wave& w, const Instruction& in) {
    begin(w, in, in.operand[0], static_cast<u32>(in.offset));
    store_lanes<Space::lds, I, Words>(w, in.operand[1].index, admitted(w, in));
}

/// ds_read2: two places, whose offsets count elements (times 64 for the st64 forms).
template <u32 Words, u32 Stride> void read_two(Wave& w, const Instruction& in) {
    begin(w, in, in.operand[1], in.offset0 * 4U * Words * Stride);
    w.access.parts = 2;
    w.access.second = (i32{in.offset1} - i32{in.offset0}) * static_cast<i32>(4 * Words * Stride);
    const i32 second = w.access.second;
    const u64 lanes = admitted(w, in);
    clear_lanes<2 * Words>(w, in.operand[0].index, w.exec() & ~lanes);
    load_lanes<Space::lds, Item::words, Words>(w, in.operand[0].index, lanes);
    load_lanes<Space::lds, Item::words, Words>(w, in.operand[0].index + Words, lanes, second);
}

template <u32 Words, u32 Stride> void write_two(Wave& w, const Instruction& in) {
    begin(w, in, in.operand[0], in.offset0 * 4U * Words * Stride);
    w.access.parts = 2;
    w.access.second = (i32{in.offset1} - i32{in.offset0}) * static_cast<i32>(4 * Words * Stride);
    const i32 second = w.access.second;
    const u64 lanes = admitted(w, in);
    store_lanes<Space::lds, Item::words, Words>(w, in.operand[1].index, lanes);
    store_lanes<Space::lds, Item::words, Words>(w, in.operand[2].index, lanes, second);
}

/// Lanes take their turns in order. The _rtn_ forms have the old value as operand 0.
template <class F, bool Returns> void atomic(Wave& w, const Instruction& in) {
    using T = typename AtomicValue<F>::type;
    constexpr u32 first = Returns ? 1 : 0;
    begin(w, in, in.operand[first], static_cast<u32>(in.offset));
    for_lanes(admitted(w, in), [&](u32 lane) {
        u8* const at = memory_at<Space::lds>(w, w.access.address[lane], lane);
        T old;
        std::memcpy(&old, at, sizeof old);
        const T value = F{}(old, value_of<T>(w, in.operand[first + 1], lane));
        std::memcpy(at, &value, sizeof value);
        if constexpr (Returns)
            give_back(w, in.operand[0], lane, old);
    });
}

/// ds_cmpst: the first data operand is what is compared, the second what is stored.
template <class T, bool Returns> void compare_store(Wave& w, const Instruction& in) {
    constexpr u32 first = Returns ? 1 : 0;
    begin(w, in, in.operand[first], static_cast<u32>(in.offset));
    for_lanes(admitted(w, in), [&](u32 lane) {
        u8* const at = memory_at<Space::lds>(w, w.access.address[lane], lane);
        T old;
        std::memcpy(&old, at, sizeof old);
        const T value = value_of<T>(w, in.operand[first + 2], lane);
        if (old == value_of<T>(w, in.operand[first + 1], lane))
            std::memcpy(at, &value, sizeof value);
        if constexpr (Returns)
            give_back(w, in.operand[0], lane, old);
    });
}

/// Between lanes, through LDS's crossbar but not its memory. An inactive source gives 0.
void permute_backward(Wave& w, const Instruction& in) {
    const u64 exec = w.exec();
    const Register address = w.v[in.operand[1].index];
    const Register data = w.v[in.operand[2].index];
    Register& to = w.v[in.operand[0].index];
    for_lanes(exec, [&](u32 lane) {
        const u32 source = (address.lane[lane] + static_cast<u32>(in.offset)) >> 2U & 63U;
        to.lane[lane] = (exec >> source & 1U) != 0 ? data.lane[source] : 0;
    });
    w.yields = true;
}

void permute_forward(Wave& w, const Instruction& in) {
    const u64 exec = w.exec();
    const Register address = w.v[in.operand[1].index];
    const Register data = w.v[in.operand[2].index];
    Register moved{};
    for_lanes(exec, [&](u32 lane) {
        const u32 target = (address.lane[lane] + static_cast<u32>(in.offset)) >> 2U & 63U;
        moved.lane[target] = data.lane[lane];
    });
    write_words(w.v[in.operand[0].index], moved.lane, exec);
    w.yields = true;
}

/// The order in which a fast Fourier transform leaves its results: bits reversed, but for a mask.
u32 in_fourier_order(u32 lane, u32 mask) {
    u32 reversed = 0;
    for (u32 i = 0; i < 5; ++i)
        reversed |= (lane >> i & 1U) << (4 - i);
    return reversed >> static_cast<u32>(std::popcount(mask)) | (lane & mask);
}

/// The offset's top bits choose: bit order or rotation within 32 lanes, any order within four;
/// else masks on the lane within 32.
u32 swizzled(u32 lane, u32 pattern) {
    const u32 mask = pattern & 31U;
    const u32 amount = pattern >> 5U & 31U;
    if (pattern >= 0xe000U)
        return (lane & 32U) | in_fourier_order(lane & 31U, mask);
    if (pattern >= 0xc000U) {
        const u32 moved = (pattern & 0x400U) != 0 ? lane - amount : lane + amount;
        return (lane & 32U) | (lane & mask) | (moved & ~mask & 31U);
    }
    if ((pattern & 0x8000U) != 0)
        return (lane & ~3U) | ((pattern >> (2 * (lane & 3U))) & 3U);
    const u32 in_half = ((lane & (pattern & 31U)) | (pattern >> 5U & 31U)) ^ (pattern >> 10U & 31U);
    return (lane & 32U) | (in_half & 31U);
}

void swizzle(Wave& w, const Instruction& in) {
    const u64 exec = w.exec();
    const Register data = w.v[in.operand[1].index];
    Register& to = w.v[in.operand[0].index];
    for_lanes(exec, [&](u32 lane) {
        const u32 source = swizzled(lane, in.immediate);
        to.lane[lane] = (exec >> source & 1U) != 0 ? data.lane[source] : 0;
    });
    w.yields = true;
}

constexpr Row base_row(std::string_view name, Handler run, u8 bytes, u16 flags) {
    return memory_row(name, run, Unit::lds, bytes, flags);
}

template <Item I, u32 Words> constexpr Row read_row(std::string_view name) {
    Row row = base_row(name, &read<I, Words>, item_bytes<I, Words>(), kNoFlag);
    row.operands[0] = {loaded_role<I>(), words_type(Words)};
    row.operands[1] = {Role::read, Type::b32};
    return row;
}

template <Item I, u32 Words> constexpr Row write_row(std::string_view name) {
    Row row = base_row(name, &write<I, Words>, item_bytes<I, Words>(), kStore);
    row.operands[0] = {Role::read, Type::b32};
    row.operands[1] = {Role::read, words_type(Words)};
    return row;
}

constexpr Row read_two_row(std::string_view name, Handler run, u32 words) {
    Row row = base_row(name, run, static_cast<u8>(4 * words), kNoFlag);
    row.operands[0] = {Role::write, words_type(2 * words)};
    row.operands[1] = {Role::read, Type::b32};
    return row;
}

constexpr Row write_two_row(std::string_view name, Handler run, u32 words) {
    Row row = base_row(name, run, static_cast<u8>(4 * words), kStore);
    row.operands[0] = {Role::read, Type::b32};
    row.operands[1] = {Role::read, words_type(words)};
    row.operands[2] = {Role::read, words_type(words)};
    return row;
}

constexpr Row
atomic_row(std::string_view name, Handler run, u8 bytes, bool returns, u32 sources = 1) {
    Row row = base_row(name, run, bytes, kAtomic);
    const Type type = bytes == 8 ? Type::b64 : Type::b32;
    u32 at = 0;
    if (returns)
        row.operands[at++] = {Role::write, type};
    row.operands[at++] = {Role::read, Type::b32};
    for (u32 i = 0; i < sources; ++i)
        row.operands[at++] = {Role::read, type};
    return row;
}

constexpr Row move_row(std::string_view name, Handler run, bool two) {
    Row row = base_row(name, run, 0, kReadsExec);
    row.taint = Taint::same;
    row.data = two ? 4 : 2;
    row.operands[0] = {Role::write, Type::b32};
    row.operands[1] = {Role::read, Type::b32};
    if (two)
        row.operands[2] = {Role::read, Type::b32};
    return row;
}

#define KBUILD_LDS_ATOMIC(name, rtn_name, operation)                                               \
    atomic_row(name, &atomic<operation, false>, sizeof(AtomicValue<operation>::type), false),      \
        atomic_row(rtn_name, &atomic<operation, true>, sizeof(AtomicValue<operation>::type), true)

constexpr Row kRows[] = {
    read_row<Item::words, 1>("ds_read_b32"),
    read_row<Item::words, 2>("ds_read_b64"),
    read_row<Item::words, 3>("ds_read_b96"),
    read_row<Item::words, 4>("ds_read_b128"),
    read_row<Item::u8_, 1>("ds_read_u8"),
    read_row<Item::i8_, 1>("ds_read_i8"),
    read_row<Item::u16_, 1>("ds_read_u16"),
    read_row<Item::i16_, 1>("ds_read_i16"),
    read_row<Item::low_u8, 1>("ds_read_u8_d16"),
    read_row<Item::high_u8, 1>("ds_read_u8_d16_hi"),
    read_row<Item::low_i8, 1>("ds_read_i8_d16"),
    read_row<Item::high_i8, 1>("ds_read_i8_d16_hi"),
    read_row<Item::low_16, 1>("ds_read_u16_d16"),
    read_row<Item::high_16, 1>("ds_read_u16_d16_hi"),
    read_two_row("ds_read2_b32", &read_two<1, 1>, 1),
    read_two_row("ds_read2_b64", &read_two<2, 1>, 2),
    read_two_row("ds_read2st64_b32", &read_two<1, 64>, 1),
    read_two_row("ds_read2st64_b64", &read_two<2, 64>, 2),
    write_row<Item::u8_, 1>("ds_write_b8"),
    write_row<Item::u16_, 1>("ds_write_b16"),
    write_row<Item::high_u8, 1>("ds_write_b8_d16_hi"),
    write_row<Item::high_16, 1>("ds_write_b16_d16_hi"),
    write_row<Item::words, 1>("ds_write_b32"),
    write_row<Item::words, 2>("ds_write_b64"),
    write_row<Item::words, 3>("ds_write_b96"),
    write_row<Item::words, 4>("ds_write_b128"),
    write_two_row("ds_write2_b32", &write_two<1, 1>, 1),
    write_two_row("ds_write2_b64", &write_two<2, 1>, 2),
    write_two_row("ds_write2st64_b32", &write_two<1, 64>, 1),
    write_two_row("ds_write2st64_b64", &write_two<2, 64>, 2),
    KBUILD_LDS_ATOMIC("ds_add_u32", "ds_add_rtn_u32", AtomicAdd<u32>),
    KBUILD_LDS_ATOMIC("ds_sub_u32", "ds_sub_rtn_u32", AtomicSub<u32>),
    KBUILD_LDS_ATOMIC("ds_rsub_u32", "ds_rsub_rtn_u32", AtomicReverseSub<u32>),
    KBUILD_LDS_ATOMIC("ds_inc_u32", "ds_inc_rtn_u32", AtomicIncrement<u32>),
    KBUILD_LDS_ATOMIC("ds_dec_u32", "ds_dec_rtn_u32", AtomicDecrement<u32>),
    KBUILD_LDS_ATOMIC("ds_min_i32", "ds_min_rtn_i32", AtomicMin<i32>),
    KBUILD_LDS_ATOMIC("ds_max_i32", "ds_max_rtn_i32", AtomicMax<i32>),
    KBUILD_LDS_ATOMIC("ds_min_u32", "ds_min_rtn_u32", AtomicMin<u32>),
    KBUILD_LDS_ATOMIC("ds_max_u32", "ds_max_rtn_u32", AtomicMax<u32>),
    KBUILD_LDS_ATOMIC("ds_and_b32", "ds_and_rtn_b32", AtomicAnd<u32>),
    KBUILD_LDS_ATOMIC("ds_or_b32", "ds_or_rtn_b32", AtomicOr<u32>),
    KBUILD_LDS_ATOMIC("ds_xor_b32", "ds_xor_rtn_b32", AtomicXor<u32>),
    KBUILD_LDS_ATOMIC("ds_add_f32", "ds_add_rtn_f32", AtomicAddFloat<float>),
    KBUILD_LDS_ATOMIC("ds_min_f32", "ds_min_rtn_f32", AtomicMinFloat<float>),
    KBUILD_LDS_ATOMIC("ds_max_f32", "ds_max_rtn_f32", AtomicMaxFloat<float>),
    KBUILD_LDS_ATOMIC("ds_pk_add_f16", "ds_pk_add_rtn_f16", AtomicAddPackedHalf),
    KBUILD_LDS_ATOMIC("ds_pk_add_bf16", "ds_pk_add_rtn_bf16", AtomicAddPackedBfloat),
    KBUILD_LDS_ATOMIC("ds_add_u64", "ds_add_rtn_u64", AtomicAdd<u64>),
    KBUILD_LDS_ATOMIC("ds_sub_u64", "ds_sub_rtn_u64", AtomicSub<u64>),
    KBUILD_LDS_ATOMIC("ds_inc_u64", "ds_inc_rtn_u64", AtomicIncrement<u64>),
    KBUILD_LDS_ATOMIC("ds_dec_u64", "ds_dec_rtn_u64", AtomicDecrement<u64>),
    KBUILD_LDS_ATOMIC("ds_min_i64", "ds_min_rtn_i64", AtomicMin<i64>),
    KBUILD_LDS_ATOMIC("ds_max_i64", "ds_max_rtn_i64", AtomicMax<i64>),
    KBUILD_LDS_ATOMIC("ds_min_u64", "ds_min_rtn_u64", AtomicMin<u64>),
    KBUILD_LDS_ATOMIC("ds_max_u64", "ds_max_rtn_u64", AtomicMax<u64>),
    KBUILD_LDS_ATOMIC("ds_and_b64", "ds_and_rtn_b64", AtomicAnd<u64>),
    KBUILD_LDS_ATOMIC("ds_or_b64", "ds_or_rtn_b64", AtomicOr<u64>),
    KBUILD_LDS_ATOMIC("ds_xor_b64", "ds_xor_rtn_b64", AtomicXor<u64>),
    KBUILD_LDS_ATOMIC("ds_add_f64", "ds_add_rtn_f64", AtomicAddFloat<double>),
    KBUILD_LDS_ATOMIC("ds_min_f64", "ds_min_rtn_f64", AtomicMinFloat<double>),
    KBUILD_LDS_ATOMIC("ds_max_f64", "ds_max_rtn_f64", AtomicMaxFloat<double>),
    atomic_row("ds_wrxchg_rtn_b32", &atomic<AtomicSwap<u32>, true>, 4, true),
    atomic_row("ds_wrxchg_rtn_b64", &atomic<AtomicSwap<u64>, true>, 8, true),
    atomic_row("ds_cmpst_b32", &compare_store<u32, false>, 4, false, 2),
    atomic_row("ds_cmpst_b64", &compare_store<u64, false>, 8, false, 2),
    atomic_row("ds_cmpst_rtn_b32", &compare_store<u32, true>, 4, true, 2),
    atomic_row("ds_cmpst_rtn_b64", &compare_store<u64, true>, 8, true, 2),
    move_row("ds_bpermute_b32", &permute_backward, true),
    move_row("ds_permute_b32", &permute_forward, true),
    move_row("ds_swizzle_b32", &swizzle, false),
};

#undef KBUILD_LDS_ATOMIC

} // namespace

std::span<const Row> lds_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
