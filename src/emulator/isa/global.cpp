#include "isa/atomics.hpp"
#include "isa/memory.hpp"
#include "isa/rows.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

// GLOBAL, FLAT and SCRATCH instructions. Their address operands:
//   global  v[a:a+1], off     v, s[b:b+1]
//   flat    v[a:a+1]
//   scratch v | off, s | off  (an offset into the lane's own memory)

enum class Kind : u8 { global, flat, scratch };

void global_addresses(Wave& w, const Instruction& in, const Operand& address, const Operand& base) {
    const u64 offset = static_cast<u64>(i64{in.offset});
    u64* const to = w.access.address;
    const Register& low = w.v[address.index];
    if (base.place == Place::off) {
        const Register& high = w.v[address.index + 1U];
        for (u32 i = 0; i < kLanes; ++i)
            to[i] = (low.lane[i] | u64{high.lane[i]} << 32U) + offset;
    } else {
        const u64 start = scalar64(w, base) + offset;
        for (u32 i = 0; i < kLanes; ++i)
            to[i] = start + low.lane[i];
    }
}

void scratch_addresses(Wave& w,
                       const Instruction& in,
                       const Operand& address,
                       const Operand& base) {
    const u32 start =
        static_cast<u32>(in.offset) + (base.place == Place::off ? 0 : scalar32(w, base));
    for (u32 i = 0; i < kLanes; ++i)
        w.access.address[i] =
            address.place == Place::off ? start : start + w.v[address.index].lane[i];
}

void flat_addresses(Wave& w, const Instruction& in, const Operand& address) {
    Operand off;
    off.place = Place::off;
    global_addresses(w, in, address, off);
}

/// Does `act(space, lanes)` for each address space that lanes of a flat access fall into.
template <class F> void by_aperture(Wave& w, const Instruction& in, F act) {
    u64 addresses[kLanes];
    std::memcpy(addresses, w.access.address, sizeof addresses);
    u64 lanes[3] = {};
    for_lanes(w.exec(), [&](u32 lane) {
        const u32 high = static_cast<u32>(addresses[lane] >> 32U);
        const u32 space = high == kSharedAperture ? 1 : high == kPrivateAperture ? 2 : 0;
        lanes[space] |= u64{1} << lane;
    });
    for (u32 space = 0; space < 3; ++space) {
        if (lanes[space] == 0)
            continue;
        begin_access(w, in, static_cast<Space>(space), lanes[space]);
        for (u32 i = 0; i < kLanes; ++i)
            w.access.address[i] = space == 0 ? addresses[i] : addresses[i] & 0xffffffffU;
        act(static_cast<Space>(space), admitted(w, in));
    }
}

/// Calls `act.template operator()<Space>(lanes)` with the addresses of the access in place.
template <Kind K, class F>
void access(Wave& w, const Instruction& in, const Operand& address, const Operand& base, F act) {
    if constexpr (K == Kind::flat) {
        flat_addresses(w, in, address);
        by_aperture(w, in, [&](Space space, u64 lanes) {
            if (space == Space::global)
                act.template operator()<Space::global>(lanes);
            else if (space == Space::lds)
                act.template operator()<Space::lds>(lanes);
            else
                act.template operator()<Space::scratch>(lanes);
        });
    } else if constexpr (K == Kind::global) {
        begin_access(w, in, Space::global, w.exec());
        global_addresses(w, in, address, base);
        act.template operator()<Space::global>(admitted(w, in));
    } else {
        begin_access(w, in, Space::scratch, w.exec());
        scratch_addresses(w, in, address, base);
        act.template operator()<Space::scratch>(admitted(w, in));
    }
}

template <Kind K, Item I, u32 Words> void load(Wave& w, const Instruction& in) {
    const u32 to = in.operand[0].index;
    access<K>(w, in, in.operand[1], in.operand[2], [&]<Space S>(u64 lanes) {
        if constexpr (I == Item::words)
            clear_lanes<Words>(w, to, w.access.mask & ~lanes);
        load_lanes<S, I, Words>(w, to, lanes);
    });
}

template <Kind K, Item I, u32 Words> void store(Wave& w, const Instruction& in) {
    access<K>(w, in, in.operand[0], in.operand[2], [&]<Space S>(u64 lanes) {
        store_lanes<S, I, Words>(w, in.operand[1].index, lanes);
    });
}

/// Straight into LDS: lane i's word goes to M0 + offset + 4 * i.
void load_to_lds(Wave& w, const Instruction& in) {
    begin_access(w, in, Space::global, w.exec());
    global_addresses(w, in, in.operand[0], in.operand[1]);
    const u32 start = (w.s[kM0] & 0xffffU) + static_cast<u32>(in.offset);
    for_lanes(admitted(w, in), [&](u32 lane) {
        const u64 to = start + 4 * u64{lane};
        if (to + 4 <= w.group->lds_bytes)
            std::memcpy(
                w.group->lds + to, memory_at<Space::global>(w, w.access.address[lane], lane), 4);
    });
}

template <Kind K, class F> void atomic(Wave& w, const Instruction& in) {
    using T = typename AtomicValue<F>::type;
    const u32 first = in.returns ? 1 : 0;
    access<K>(w, in, in.operand[first], in.operand[first + 2], [&]<Space S>(u64 lanes) {
        for_lanes(lanes, [&](u32 lane) {
            const T value = value_of<T>(w, in.operand[first + 1], lane);
            const T old = update<T>(memory_at<S>(w, w.access.address[lane], lane),
                                    [&](T now) { return F{}(now, value); });
            if (in.returns)
                give_back(w, in.operand[0], lane, old);
        });
    });
}

/// The data operand holds what to store, then what to compare with.
template <Kind K, class T> void compare_swap(Wave& w, const Instruction& in) {
    const u32 first = in.returns ? 1 : 0;
    access<K>(w, in, in.operand[first], in.operand[first + 2], [&]<Space S>(u64 lanes) {
        for_lanes(lanes, [&](u32 lane) {
            const T value = value_of<T>(w, in.operand[first + 1], lane);
            const T expected = value_of<T>(w, in.operand[first + 1], lane, sizeof(T) / 4);
            const T old = update<T>(memory_at<S>(w, w.access.address[lane], lane),
                                    [&](T now) { return now == expected ? value : now; });
            if (in.returns)
                give_back(w, in.operand[0], lane, old);
        });
    });
}

constexpr Unit unit_of(Kind kind) {
    return kind == Kind::global ? Unit::global : kind == Kind::flat ? Unit::flat : Unit::scratch;
}
constexpr Type address_type(Kind kind) {
    return kind == Kind::scratch ? Type::b32 : Type::none;
}

constexpr Row base_row(std::string_view name, Handler run, Kind kind, u8 bytes, u16 flags) {
    return memory_row(name, run, unit_of(kind), bytes, flags);
}

/// An address has one or two registers, told by the operand itself (Type::none: any width).
constexpr OperandSpec address_spec(Kind kind) {
    return {Role::read, kind == Kind::flat ? Type::b64 : address_type(kind)};
}
constexpr OperandSpec base_spec(Kind kind) {
    return kind == Kind::flat
               ? OperandSpec{}
               : OperandSpec{Role::read, kind == Kind::scratch ? Type::b32 : Type::b64};
}

template <Kind K, Item I, u32 Words> constexpr Row load_row(std::string_view name) {
    Row row = base_row(name, &load<K, I, Words>, K, item_bytes<I, Words>(), kNoFlag);
    row.operands[0] = {loaded_role<I>(), words_type(Words)};
    row.operands[1] = address_spec(K);
    row.operands[2] = base_spec(K);
    return row;
}

/// Data first for loads, address first for stores and atomics.
template <Kind K, Item I, u32 Words> constexpr Row store_row(std::string_view name) {
    Row row = base_row(name, &store<K, I, Words>, K, item_bytes<I, Words>(), kStore);
    row.operands[0] = address_spec(K);
    row.operands[1] = {Role::read, words_type(Words)};
    row.operands[2] = base_spec(K);
    return row;
}

template <Kind K>
constexpr Row atomic_row(std::string_view name, Handler run, u8 bytes, u32 data_words) {
    Row row = base_row(name, run, K, bytes, kAtomic);
    row.operands[0] = address_spec(K);
    row.operands[1] = {Role::read, words_type(data_words)};
    row.operands[2] = base_spec(K);
    return row;
}

constexpr Row to_lds_row(std::string_view name) {
    Row row = base_row(name, &load_to_lds, Kind::global, 4, kReadsM0);
    row.operands[0] = address_spec(Kind::global);
    row.operands[1] = base_spec(Kind::global);
    return row;
}

#define KBUILD_LOADS_AND_STORES(prefix, kind)                                                      \
    load_row<kind, Item::u8_, 1>(prefix "load_ubyte"),                                             \
        load_row<kind, Item::i8_, 1>(prefix "load_sbyte"),                                         \
        load_row<kind, Item::u16_, 1>(prefix "load_ushort"),                                       \
        load_row<kind, Item::i16_, 1>(prefix "load_sshort"),                                       \
        load_row<kind, Item::words, 1>(prefix "load_dword"),                                       \
        load_row<kind, Item::words, 2>(prefix "load_dwordx2"),                                     \
        load_row<kind, Item::words, 3>(prefix "load_dwordx3"),                                     \
        load_row<kind, Item::words, 4>(prefix "load_dwordx4"),                                     \
        load_row<kind, Item::low_u8, 1>(prefix "load_ubyte_d16"),                                  \
        load_row<kind, Item::high_u8, 1>(prefix "load_ubyte_d16_hi"),                              \
        load_row<kind, Item::low_i8, 1>(prefix "load_sbyte_d16"),                                  \
        load_row<kind, Item::high_i8, 1>(prefix "load_sbyte_d16_hi"),                              \
        load_row<kind, Item::low_16, 1>(prefix "load_short_d16"),                                  \
        load_row<kind, Item::high_16, 1>(prefix "load_short_d16_hi"),                              \
        store_row<kind, Item::u8_, 1>(prefix "store_byte"),                                        \
        store_row<kind, Item::high_u8, 1>(prefix "store_byte_d16_hi"),                             \
        store_row<kind, Item::u16_, 1>(prefix "store_short"),                                      \
        store_row<kind, Item::high_16, 1>(prefix "store_short_d16_hi"),                            \
        store_row<kind, Item::words, 1>(prefix "store_dword"),                                     \
        store_row<kind, Item::words, 2>(prefix "store_dwordx2"),                                   \
        store_row<kind, Item::words, 3>(prefix "store_dwordx3"),                                   \
        store_row<kind, Item::words, 4>(prefix "store_dwordx4")

#define KBUILD_ATOMIC(prefix, kind, name, operation)                                               \
    atomic_row<kind>(prefix name,                                                                  \
                     &atomic<kind, operation>,                                                     \
                     sizeof(AtomicValue<operation>::type),                                         \
                     sizeof(AtomicValue<operation>::type) / 4)

#define KBUILD_ATOMICS(prefix, kind)                                                               \
    KBUILD_ATOMIC(prefix, kind, "atomic_swap", AtomicSwap<u32>),                                   \
        KBUILD_ATOMIC(prefix, kind, "atomic_add", AtomicAdd<u32>),                                 \
        KBUILD_ATOMIC(prefix, kind, "atomic_sub", AtomicSub<u32>),                                 \
        KBUILD_ATOMIC(prefix, kind, "atomic_smin", AtomicMin<i32>),                                \
        KBUILD_ATOMIC(prefix, kind, "atomic_umin", AtomicMin<u32>),                                \
        KBUILD_ATOMIC(prefix, kind, "atomic_smax", AtomicMax<i32>),                                \
        KBUILD_ATOMIC(prefix, kind, "atomic_umax", AtomicMax<u32>),                                \
        KBUILD_ATOMIC(prefix, kind, "atomic_and", AtomicAnd<u32>),                                 \
        KBUILD_ATOMIC(prefix, kind, "atomic_or", AtomicOr<u32>),                                   \
        KBUILD_ATOMIC(prefix, kind, "atomic_xor", AtomicXor<u32>),                                 \
        KBUILD_ATOMIC(prefix, kind, "atomic_inc", AtomicIncrement<u32>),                           \
        KBUILD_ATOMIC(prefix, kind, "atomic_dec", AtomicDecrement<u32>),                           \
        KBUILD_ATOMIC(prefix, kind, "atomic_swap_x2", AtomicSwap<u64>),                            \
        KBUILD_ATOMIC(prefix, kind, "atomic_add_x2", AtomicAdd<u64>),                              \
        KBUILD_ATOMIC(prefix, kind, "atomic_sub_x2", AtomicSub<u64>),                              \
        KBUILD_ATOMIC(prefix, kind, "atomic_smin_x2", AtomicMin<i64>),                             \
        KBUILD_ATOMIC(prefix, kind, "atomic_umin_x2", AtomicMin<u64>),                             \
        KBUILD_ATOMIC(prefix, kind, "atomic_smax_x2", AtomicMax<i64>),                             \
        KBUILD_ATOMIC(prefix, kind, "atomic_umax_x2", AtomicMax<u64>),                             \
        KBUILD_ATOMIC(prefix, kind, "atomic_and_x2", AtomicAnd<u64>),                              \
        KBUILD_ATOMIC(prefix, kind, "atomic_or_x2", AtomicOr<u64>),                                \
        KBUILD_ATOMIC(prefix, kind, "atomic_xor_x2", AtomicXor<u64>),                              \
        KBUILD_ATOMIC(prefix, kind, "atomic_inc_x2", AtomicIncrement<u64>),                        \
        KBUILD_ATOMIC(prefix, kind, "atomic_dec_x2", AtomicDecrement<u64>),                        \
        KBUILD_ATOMIC(prefix, kind, "atomic_add_f32", AtomicAddFloat<float>),                      \
        KBUILD_ATOMIC(prefix, kind, "atomic_add_f64", AtomicAddFloat<double>),                     \
        KBUILD_ATOMIC(prefix, kind, "atomic_min_f64", AtomicMinFloat<double>),                     \
        KBUILD_ATOMIC(prefix, kind, "atomic_max_f64", AtomicMaxFloat<double>),                     \
        KBUILD_ATOMIC(prefix, kind, "atomic_pk_add_f16", AtomicAddPackedHalf),                     \
        KBUILD_ATOMIC(prefix, kind, "atomic_pk_add_bf16", AtomicAddPackedBfloat),                  \
        atomic_row<kind>(prefix "atomic_cmpswap", &compare_swap<kind, u32>, 4, 2),                 \
        atomic_row<kind>(prefix "atomic_cmpswap_x2", &compare_swap<kind, u64>, 8, 4)

constexpr Row kRows[] = {
    KBUILD_LOADS_AND_STORES("global_", Kind::global),
    KBUILD_LOADS_AND_STORES("flat_", Kind::flat),
    KBUILD_LOADS_AND_STORES("scratch_", Kind::scratch),
    KBUILD_ATOMICS("global_", Kind::global),
    KBUILD_ATOMICS("flat_", Kind::flat),
    to_lds_row("global_load_lds_dword"),
};

#undef KBUILD_LOADS_AND_STORES
#undef KBUILD_ATOMIC
#undef KBUILD_ATOMICS

} // namespace

std::span<const Row> global_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
