#include "isa/atomics.hpp"
#include "isa/memory.hpp"
#include "isa/rows.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

// MUBUF: vdata, vaddr | off, s[descriptor], soffset, with `idxen` and `offen` saying what vaddr is.

/// Fills the access; lanes beyond the buffer's end are left out: they read 0 and write nothing.
u64 begin(
    Wave& w, const Instruction& in, const Operand& address, u32 descriptor, const Operand& base) {
    const u32* const d = w.s + descriptor;
    const u64 start = d[0] | u64{d[1] & 0xffffU} << 32U;
    const u32 stride = d[1] >> 16U & 0x3fffU;
    const u32 records = d[2];
    if ((d[1] >> 31U) != 0 || (d[3] >> 23U & 1U) != 0) {
        w.failure =
            "uses a buffer descriptor with swizzling or added thread ids, which is not modelled";
        return 0;
    }
    const u32 uniform = scalar32(w, base);
    begin_access(w, in, Space::global, 0);
    const bool structured = in.index_enabled && stride != 0;
    u64 lanes = 0;
    for_lanes(w.exec(), [&](u32 lane) {
        const u32 index = in.index_enabled ? w.v[address.index].lane[lane] : 0;
        const u32 own =
            in.offset_enabled ? w.v[address.index + (in.index_enabled ? 1U : 0U)].lane[lane] : 0;
        const u64 offset = u64{own} + static_cast<u32>(in.offset);
        w.access.address[lane] = start + u64{uniform} + u64{index} * stride + offset;
        const bool inside = structured ? index < records && offset + in.row->bytes <= stride
                                       : offset + uniform + in.row->bytes <= records;
        lanes |= u64{inside} << lane;
    });
    w.access.mask = lanes;
    return admitted(w, in);
}

template <Item I, u32 Words> void load(Wave& w, const Instruction& in) {
    const u32 to = in.operand[0].index;
    const u64 lanes = begin(w, in, in.operand[1], in.operand[2].index, in.operand[3]);
    clear_lanes<Words>(w, to, w.exec() & ~lanes);
    load_lanes<Space::global, I, Words>(w, to, lanes);
}

template <Item I, u32 Words> void store(Wave& w, const Instruction& in) {
    const u64 lanes = begin(w, in, in.operand[1], in.operand[2].index, in.operand[3]);
    store_lanes<Space::global, I, Words>(w, in.operand[0].index, lanes);
}

/// The data register gets the old value back if `sc0` says so.
template <class F> void atomic(Wave& w, const Instruction& in) {
    using T = typename AtomicValue<F>::type;
    const u64 lanes = begin(w, in, in.operand[1], in.operand[2].index, in.operand[3]);
    for_lanes(lanes, [&](u32 lane) {
        const T value = value_of<T>(w, in.operand[0], lane);
        const T old = update<T>(memory_at<Space::global>(w, w.access.address[lane], lane),
                                [&](T now) { return F{}(now, value); });
        if (in.returns)
            give_back(w, in.operand[0], lane, old);
    });
}

constexpr Row base_row(std::string_view name, Handler run, u8 bytes, u16 flags, OperandSpec data) {
    Row row = memory_row(name, run, Unit::buffer, bytes, flags);
    row.operands[0] = data;
    row.operands[1] = {Role::read, Type::none};
    row.operands[2] = {Role::read, Type::b128};
    row.operands[3] = {Role::read, Type::b32};
    return row;
}

template <Item I, u32 Words> constexpr Row load_row(std::string_view name) {
    return base_row(name,
                    &load<I, Words>,
                    item_bytes<I, Words>(),
                    kNoFlag,
                    {loaded_role<I>(), words_type(Words)});
}
template <Item I, u32 Words> constexpr Row store_row(std::string_view name) {
    return base_row(
        name, &store<I, Words>, item_bytes<I, Words>(), kStore, {Role::read, words_type(Words)});
}
template <class F> constexpr Row atomic_row(std::string_view name) {
    constexpr u32 bytes = sizeof(typename AtomicValue<F>::type);
    return base_row(name, &atomic<F>, bytes, kAtomic, {Role::update, words_type(bytes / 4)});
}

constexpr Row kRows[] = {
    load_row<Item::u8_, 1>("buffer_load_ubyte"),
    load_row<Item::i8_, 1>("buffer_load_sbyte"),
    load_row<Item::u16_, 1>("buffer_load_ushort"),
    load_row<Item::i16_, 1>("buffer_load_sshort"),
    load_row<Item::low_16, 1>("buffer_load_short_d16"),
    load_row<Item::high_16, 1>("buffer_load_short_d16_hi"),
    load_row<Item::words, 1>("buffer_load_dword"),
    load_row<Item::words, 2>("buffer_load_dwordx2"),
    load_row<Item::words, 3>("buffer_load_dwordx3"),
    load_row<Item::words, 4>("buffer_load_dwordx4"),
    store_row<Item::u8_, 1>("buffer_store_byte"),
    store_row<Item::u16_, 1>("buffer_store_short"),
    store_row<Item::high_16, 1>("buffer_store_short_d16_hi"),
    store_row<Item::words, 1>("buffer_store_dword"),
    store_row<Item::words, 2>("buffer_store_dwordx2"),
    store_row<Item::words, 3>("buffer_store_dwordx3"),
    store_row<Item::words, 4>("buffer_store_dwordx4"),
    atomic_row<AtomicAdd<u32>>("buffer_atomic_add"),
    atomic_row<AtomicAddFloat<float>>("buffer_atomic_add_f32"),
    atomic_row<AtomicAddFloat<double>>("buffer_atomic_add_f64"),
    atomic_row<AtomicAddPackedHalf>("buffer_atomic_pk_add_f16"),
};

} // namespace

std::span<const Row> buffer_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
