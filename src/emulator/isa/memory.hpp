#pragma once

#include "isa/lanes.hpp"
#include "machine/group.hpp"
#include "memory/address.hpp"

#include <emmintrin.h>

namespace kbuild::emulator {
namespace KBUILD_LANES {

template <Space S> u8* memory_at(Wave& w, u64 address, u32 lane) {
    if constexpr (S == Space::global)
        return pointer_to(address);
    else if constexpr (S == Space::lds)
        return w.group->lds + address;
    else
        return w.group->scratch + (u64{w.number} * kLanes + lane) * w.group->scratch_bytes +
               address;
}

/// Lanes of the access that take place: LDS and scratch have ends that the hardware enforces, for
/// global memory the checks decide.
inline u64 admitted(Wave& w, const Instruction& in) {
    Access& a = w.access;
    w.yields = true;
    if (w.group->checked)
        a.mask = w.group->environment->admit(w, in);
    if (a.space == Space::global)
        return a.mask;
    const u64 end = a.space == Space::lds ? w.group->lds_bytes : w.group->scratch_bytes;
    const u64 length = a.bytes + static_cast<u64>(a.parts > 1 && a.second > 0 ? a.second : 0);
    u64 beyond = end - length; // its sign bit: a lane is outside
    for (u32 i = 0; i < kLanes; ++i)
        beyond |= end - length - a.address[i];
    if (beyond >> 63U == 0)
        return a.mask;
    u64 mask = 0;
    for (u32 i = 0; i < kLanes; ++i)
        if ((a.mask >> i & 1) != 0 && a.address[i] <= end && a.address[i] + length <= end)
            mask |= u64{1} << i;
    return mask;
}

template <class F> void for_lanes(u64 mask, F f) {
    for (; mask != 0; mask &= mask - 1)
        f(static_cast<u32>(std::countr_zero(mask)));
}

/// What is loaded or stored per lane.
enum class Item : u8 {
    u8_,
    i8_,
    u16_,
    i16_,
    low_u8,
    high_u8,
    low_i8,
    high_i8,
    low_16,
    high_16,
    words
};

template <Item I, u32 Words> constexpr u8 item_bytes() {
    if constexpr (I == Item::words)
        return 4 * Words;
    else if constexpr (I == Item::u8_ || I == Item::i8_ || I == Item::low_u8 ||
                       I == Item::high_u8 || I == Item::low_i8 || I == Item::high_i8)
        return 1;
    else
        return 2;
}

/// Loads of half a register leave the other half alone.
template <Item I> constexpr Role loaded_role() {
    constexpr bool half = I == Item::low_16 || I == Item::high_16 || I == Item::low_u8 ||
                          I == Item::high_u8 || I == Item::low_i8 || I == Item::high_i8;
    return half ? Role::update : Role::write;
}

/// The register's new word, from what was loaded and its old one.
template <Item I> u32 loaded_word(u32 old, u32 raw) {
    switch (I) {
    case Item::i8_:
        return static_cast<u32>(static_cast<i8>(raw));
    case Item::i16_:
        return static_cast<u32>(static_cast<i16>(raw));
    case Item::low_u8:
    case Item::low_16:
        return (old & 0xffff0000U) | raw;
    case Item::high_u8:
    case Item::high_16:
        return (old & 0xffffU) | raw << 16U;
    case Item::low_i8:
        return (old & 0xffff0000U) | (static_cast<u32>(static_cast<i8>(raw)) & 0xffffU);
    case Item::high_i8:
        return (old & 0xffffU) | static_cast<u32>(static_cast<i8>(raw)) << 16U;
    default:
        return raw;
    }
}

/// The address of a lane's words, `distance` bytes on.
template <Space S> u8* lane_at(Wave& w, u32 lane, i32 distance) {
    return memory_at<S>(w, w.access.address[lane] + static_cast<u64>(i64{distance}), lane);
}

/// All lanes, four at a time: what is a row in memory is a column of the registers.
template <Space S, u32 Words> void load_whole(Wave& w, Register* out, i32 distance) {
    static_assert(Words == 2 || Words == 4);
    for (u32 lane = 0; lane < kLanes; lane += 4) {
        const auto at = [&](u32 i) {
            return reinterpret_cast<const float*>(lane_at<S>(w, lane + i, distance));
        };
        const auto to = [&](u32 i) { return reinterpret_cast<float*>(out[i].lane + lane); };
        if constexpr (Words == 4) {
            __m128 row[4] = {
                _mm_loadu_ps(at(0)), _mm_loadu_ps(at(1)), _mm_loadu_ps(at(2)), _mm_loadu_ps(at(3))};
            _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
            for (u32 i = 0; i < 4; ++i)
                _mm_store_ps(to(i), row[i]);
        } else {
            const auto pair = [&](u32 i) {
                const __m128 low =
                    _mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(at(i))));
                return _mm_loadh_pi(low, reinterpret_cast<const __m64*>(at(i + 1)));
            };
            const __m128 first = pair(0);
            const __m128 second = pair(2);
            _mm_store_ps(to(0), _mm_shuffle_ps(first, second, 0x88));
            _mm_store_ps(to(1), _mm_shuffle_ps(first, second, 0xdd));
        }
    }
}

/// The other way; lanes that store to the same place do so in their order.
template <Space S, u32 Words> void store_whole(Wave& w, const Register* in, i32 distance) {
    static_assert(Words == 2 || Words == 4);
    for (u32 lane = 0; lane < kLanes; lane += 4) {
        const auto at = [&](u32 i) {
            return reinterpret_cast<float*>(lane_at<S>(w, lane + i, distance));
        };
        const auto from = [&](u32 i) {
            return _mm_load_ps(reinterpret_cast<const float*>(in[i].lane + lane));
        };
        if constexpr (Words == 4) {
            __m128 row[4] = {from(0), from(1), from(2), from(3)};
            _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
            for (u32 i = 0; i < 4; ++i)
                _mm_storeu_ps(at(i), row[i]);
        } else {
            const __m128 halves[2] = {_mm_unpacklo_ps(from(0), from(1)),
                                      _mm_unpackhi_ps(from(0), from(1))};
            for (u32 i = 0; i < 4; i += 2) {
                _mm_storel_pi(reinterpret_cast<__m64*>(at(i)), halves[i / 2]);
                _mm_storeh_pi(reinterpret_cast<__m64*>(at(i + 1)), halves[i / 2]);
            }
        }
    }
}

template <Item I, u32 Words>
inline constexpr bool kWhole = I == Item::words && (Words == 2 || Words == 4);

template <Space S, Item I, u32 Words> void load_lanes(Wave& w, u32 to, u64 mask, i32 distance = 0) {
    Register* const out = w.v + to;
    if constexpr (kWhole<I, Words>)
        if (mask == ~u64{0})
            return load_whole<S, Words>(w, out, distance);
    for_lanes(mask, [&](u32 lane) {
        u32 words[Words] = {};
        std::memcpy(words, lane_at<S>(w, lane, distance), item_bytes<I, Words>());
        if constexpr (I != Item::words)
            words[0] = loaded_word<I>(out[0].lane[lane], words[0]);
        for (u32 i = 0; i < Words; ++i)
            out[i].lane[lane] = words[i];
    });
}

/// Lanes that are on but were not admitted read zeros, as the hardware does out of range.
template <u32 Words> void clear_lanes(Wave& w, u32 to, u64 mask) {
    for_lanes(mask, [&](u32 lane) {
        for (u32 i = 0; i < Words; ++i)
            w.v[to + i].lane[lane] = 0;
    });
}

template <Space S, Item I, u32 Words>
void store_lanes(Wave& w, u32 from, u64 mask, i32 distance = 0) {
    const Register* const in = w.v + from;
    if constexpr (kWhole<I, Words>)
        if (mask == ~u64{0})
            return store_whole<S, Words>(w, in, distance);
    for_lanes(mask, [&](u32 lane) {
        u32 words[Words];
        for (u32 i = 0; i < Words; ++i)
            words[i] = in[i].lane[lane];
        if constexpr (I == Item::high_16 || I == Item::high_u8)
            words[0] >>= 16U;
        std::memcpy(lane_at<S>(w, lane, distance), words, item_bytes<I, Words>());
    });
}

inline void begin_access(Wave& w, const Instruction& in, Space space, u64 mask) {
    Access& a = w.access;
    a.space = space;
    a.atomic = (in.row->flags & kAtomic) != 0;
    a.write = (in.row->flags & (kStore | kAtomic)) != 0;
    a.read = (in.row->flags & kStore) == 0;
    a.bytes = in.row->bytes;
    a.parts = 1;
    a.second = 0;
    a.mask = mask;
}

constexpr Type words_type(u32 words) {
    return words == 1 ? Type::b32 : words == 2 ? Type::b64 : words == 3 ? Type::b96 : Type::b128;
}

/// What the rows of all instructions that access memory by lanes share.
constexpr Row memory_row(std::string_view name, Handler run, Unit unit, u8 bytes, u16 flags) {
    Row row;
    row.name = name;
    row.run = run;
    row.unit = unit;
    row.taint = Taint::custom;
    row.bytes = bytes;
    row.flags = flags;
    return row;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
