#pragma once

// Everything in isa/ is compiled once per instruction set of the host (x86-64, x86-64-v3, ...);
// KBUILD_LANES is the namespace of the copy at hand. Only KBUILD_LANES::rows() is visible outside,
// so that no copy can be linked in another one's place.

#include "machine/dpp.hpp"
#include "machine/instruction.hpp"
#include "machine/wave.hpp"

#include <cmath>
#include <tuple>
#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace kbuild::emulator {
namespace KBUILD_LANES {

using f16 = _Float16;

/// A word per lane, all bits set where the lane is on.
struct LaneMask {
    alignas(64) u32 lane[kLanes];
};

inline LaneMask spread(u64 bits) {
    LaneMask mask;
    for (u32 half = 0; half < 2; ++half) {
        const u32 word = static_cast<u32>(bits >> (32 * half));
        for (u32 i = 0; i < 32; ++i)
            mask.lane[32 * half + i] = 0U - ((word >> i) & 1U);
    }
    return mask;
}

/// The other way: bit i is set where lane i's word is not zero (words are 0 or ~0).
inline u64 gather_bits(const u32* words) {
    u64 bits = 0;
#if defined(__AVX512DQ__)
    for (u32 i = 0; i < kLanes; i += 16)
        bits |= u64{_mm512_movepi32_mask(_mm512_load_si512(words + i))} << i;
#elif defined(__AVX2__)
    for (u32 i = 0; i < kLanes; i += 8) {
        const __m256i word = _mm256_load_si256(reinterpret_cast<const __m256i*>(words + i));
        const auto eight = static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(word)));
        bits |= u64{eight} << i;
    }
#else
    for (u32 i = 0; i < kLanes; ++i)
        bits |= u64{words[i] >> 31U} << i;
#endif
    return bits;
}

template <class T> T from_bits(u64 bits) {
    if constexpr (sizeof(T) == 8)
        return std::bit_cast<T>(bits);
    else if constexpr (sizeof(T) == 4)
        return std::bit_cast<T>(static_cast<u32>(bits));
    else
        return std::bit_cast<T>(static_cast<u16>(bits));
}

template <class T> u64 to_bits(T value) {
    if constexpr (sizeof(T) == 8)
        return std::bit_cast<u64>(value);
    else if constexpr (sizeof(T) == 4)
        return std::bit_cast<u32>(value);
    else
        return std::bit_cast<u16>(value);
}

template <class T> inline constexpr bool is_float = std::is_floating_point_v<T>;
template <> inline constexpr bool is_float<f16> = true;

template <class T> constexpr Type type_of() {
    if constexpr (std::is_same_v<T, float>)
        return Type::f32;
    else if constexpr (std::is_same_v<T, double>)
        return Type::f64;
    else if constexpr (std::is_same_v<T, f16>)
        return Type::f16;
    else if constexpr (sizeof(T) == 8)
        return Type::b64;
    else if constexpr (sizeof(T) == 4)
        return Type::b32;
    else
        return Type::b16;
}

template <class T> struct Values {
    alignas(64) T lane[kLanes];
};

/// The scalar that an operand names, as 32 or 64 bits.
inline u32 scalar32(const Wave& w, const Operand& o) {
    return o.place == Place::constant ? static_cast<u32>(o.value) : w.s[o.index];
}
inline u64 scalar64(const Wave& w, const Operand& o) {
    if (o.place == Place::constant)
        return o.value;
    return o.words == 1 ? w.s[o.index] : w.scalar64(o.index);
}

/// Lanes that a DPP instruction writes: neither masked out nor without a source (unless bound_ctrl
/// makes that source 0).
inline u64 dpp_lanes(const Wave& w, const Instruction& in) {
    const u64 exec = w.exec();
    u64 lanes = 0;
    for (u32 i = 0; i < kLanes; ++i) {
        const bool on =
            (in.row_mask >> (i / 16) & 1) != 0 && (in.bank_mask >> (i / 4 % 4) & 1) != 0;
        const u32 source = dpp_source(in, i);
        const bool valid = source < kLanes && (exec >> source & 1) != 0;
        if (on && (valid || in.bound_control))
            lanes |= u64{1} << i;
    }
    return lanes;
}

/// Lanes that the instruction writes.
inline u64 active(const Wave& w, const Instruction& in) {
    return in.dpp == Dpp::none ? w.exec() : w.exec() & dpp_lanes(w, in);
}

inline void permute_by_dpp(const Wave& w, const Instruction& in, u32* words) {
    const u64 exec = w.exec();
    Register old;
    std::memcpy(&old, words, sizeof old);
    for (u32 i = 0; i < kLanes; ++i) {
        const u32 source = dpp_source(in, i);
        words[i] = source < kLanes && (exec >> source & 1) != 0 ? old.lane[source] : 0;
    }
}

inline void select_sdwa(const Operand& o, u32* words) {
    const u32 width = o.sdwa < 4 ? 8 : 16;
    const u32 shift = o.sdwa < 4 ? 8U * o.sdwa : 16U * (o.sdwa - 4U);
    const u32 unused = 32 - width;
    for (u32 i = 0; i < kLanes; ++i) {
        const u32 part = (words[i] >> shift) << unused;
        words[i] =
            o.sign_extend ? static_cast<u32>(static_cast<i32>(part) >> unused) : part >> unused;
    }
}

/// The words of a 32-bit operand, one per lane; `buffer` is used where they are not in a register
/// as they are.
inline const u32* fetch_words(const Wave& w, const Instruction& in, const Operand& o, u32* buffer) {
    const bool moved = in.dpp != Dpp::none && &o == in.operand + in.source0;
    if (o.place == Place::vector) {
        const u32* const words = w.v[o.index].lane;
        if (o.sdwa == 6 && !moved)
            return words;
        std::memcpy(buffer, words, sizeof(Register));
    } else {
        const u32 word = scalar32(w, o);
        for (u32 i = 0; i < kLanes; ++i)
            buffer[i] = word;
    }
    if (moved)
        permute_by_dpp(w, in, buffer);
    if (o.sdwa != 6)
        select_sdwa(o, buffer);
    return buffer;
}

/// Applies |x| and -x; `bit` is 1 for the high half of a packed operand.
template <class T> void modify(const Operand& o, T* values, u32 bit = 0) {
    if constexpr (is_float<T>) {
        using Bits =
            std::conditional_t<sizeof(T) == 8, u64, std::conditional_t<sizeof(T) == 4, u32, u16>>;
        constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(T) - 1));
        const Bits keep = o.absolute ? static_cast<Bits>(~sign) : static_cast<Bits>(~Bits{0});
        const Bits flip = (o.negate >> bit & 1) != 0 ? sign : Bits{0};
        auto* const bits = reinterpret_cast<char*>(values);
        for (u32 i = 0; i < kLanes; ++i) {
            Bits value;
            std::memcpy(&value, bits + i * sizeof(Bits), sizeof value);
            value = static_cast<Bits>((value & keep) ^ flip);
            std::memcpy(bits + i * sizeof(Bits), &value, sizeof value);
        }
    }
}

template <class T>
const T* fetch(const Wave& w, const Instruction& in, const Operand& o, Values<T>& buffer) {
    if constexpr (sizeof(T) == 4) {
        auto* const own = reinterpret_cast<u32*>(buffer.lane);
        const u32* const from = fetch_words(w, in, o, own);
        if (!o.absolute && o.negate == 0)
            return reinterpret_cast<const T*>(from);
        if (from != own)
            std::memcpy(own, from, sizeof buffer);
    } else if constexpr (sizeof(T) == 8) {
        if (o.place == Place::vector) {
            const u32* const low = w.v[o.index].lane;
            const u32* const high = w.v[o.index + 1U].lane;
            for (u32 i = 0; i < kLanes; ++i)
                buffer.lane[i] = std::bit_cast<T>(low[i] | u64{high[i]} << 32U);
        } else {
            const T value = from_bits<T>(scalar64(w, o));
            for (u32 i = 0; i < kLanes; ++i)
                buffer.lane[i] = value;
        }
    } else {
        Register words;
        const u32* const from = fetch_words(w, in, o, words.lane);
        const u32 shift = (o.select & 1) != 0 ? 16 : 0;
        for (u32 i = 0; i < kLanes; ++i)
            buffer.lane[i] = from_bits<T>(static_cast<u16>(from[i] >> shift));
    }
    if (o.absolute || o.negate != 0)
        modify(o, buffer.lane);
    return buffer.lane;
}

inline void write_words(Register& to, const u32* words, u64 lanes) {
    if (lanes == ~u64{0}) {
        std::memcpy(&to, words, sizeof to);
        return;
    }
    const LaneMask mask = spread(lanes);
    for (u32 i = 0; i < kLanes; ++i)
        to.lane[i] = (words[i] & mask.lane[i]) | (to.lane[i] & ~mask.lane[i]);
}

/// Output scale and clamp of a floating-point result. NaN clamps to 0 (DX10_CLAMP, the default).
template <class T> void shape_result(const Instruction& in, T* values) {
    if constexpr (is_float<T>) {
        static constexpr float kScale[] = {1.0F, 2.0F, 4.0F, 0.5F};
        if (in.output_scale != 0)
            for (u32 i = 0; i < kLanes; ++i)
                values[i] = static_cast<T>(values[i] * static_cast<T>(kScale[in.output_scale]));
        if (in.clamp)
            for (u32 i = 0; i < kLanes; ++i) {
                const T value = values[i] > T(0) ? values[i] : T(0);
                values[i] = value < T(1) ? value : T(1);
            }
    }
}

/// Puts an SDWA result into its part of the register's old words.
inline void place_sdwa(const Instruction& in, const Register& old, u32* words) {
    if (in.sdwa_result == 6)
        return;
    const u32 width = in.sdwa_result < 4 ? 8 : 16;
    const u32 shift = in.sdwa_result < 4 ? 8U * in.sdwa_result : 16U * (in.sdwa_result - 4U);
    const u32 ones = width == 8 ? 0xffU : 0xffffU;
    for (u32 i = 0; i < kLanes; ++i) {
        const u32 part = (words[i] & ones) << shift;
        const u32 sign =
            (words[i] >> (width - 1) & 1U) != 0 ? ~0U << (shift + width - 1) << 1U : 0U;
        const u32 rest = in.sdwa_unused == 2   ? old.lane[i] & ~(ones << shift)
                         : in.sdwa_unused == 1 ? sign
                                               : 0U;
        words[i] = part | rest;
    }
}

template <class T>
void store(Wave& w, const Instruction& in, const Operand& o, Values<T>& values, u64 lanes) {
    if (in.clamp || in.output_scale != 0)
        shape_result(in, values.lane);
    Register& to = w.v[o.index];
    if constexpr (sizeof(T) == 4) {
        auto* const words = reinterpret_cast<u32*>(values.lane);
        if (in.sdwa)
            place_sdwa(in, to, words);
        write_words(to, words, lanes);
    } else if constexpr (sizeof(T) == 8) {
        Register low;
        Register high;
        for (u32 i = 0; i < kLanes; ++i) {
            const u64 bits = std::bit_cast<u64>(values.lane[i]);
            low.lane[i] = static_cast<u32>(bits);
            high.lane[i] = static_cast<u32>(bits >> 32U);
        }
        write_words(to, low.lane, lanes);
        write_words(w.v[o.index + 1U], high.lane, lanes);
    } else {
        Register words;
        const bool keep = (in.row->flags & kHalfResult) != 0 || in.half_select;
        for (u32 i = 0; i < kLanes; ++i) {
            const u32 half = std::bit_cast<u16>(values.lane[i]);
            const u32 old = to.lane[i];
            words.lane[i] = !keep            ? half
                            : in.half_select ? half << 16U | (old & 0xffffU)
                                             : half | (old & 0xffff0000U);
        }
        if (in.sdwa)
            place_sdwa(in, to, words.lane);
        write_words(to, words.lane, lanes);
    }
}

/// gfx942 makes the positive quiet NaN where x86 makes the negative one.
inline float fixed_nan(float value) {
    const u32 bits = std::bit_cast<u32>(value);
    return std::bit_cast<float>(bits == 0xffc00000U ? 0x7fc00000U : bits);
}
inline double fixed_nan(double value) {
    const u64 bits = std::bit_cast<u64>(value);
    return std::bit_cast<double>(bits == 0xfff8000000000000U ? 0x7ff8000000000000U : bits);
}
inline f16 fixed_nan(f16 value) {
    const u16 bits = std::bit_cast<u16>(value);
    return std::bit_cast<f16>(bits == 0xfe00U ? u16{0x7e00U} : bits);
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
