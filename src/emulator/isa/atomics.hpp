#pragma once

#include "isa/lanes.hpp"

#include <algorithm>

namespace kbuild::emulator {
namespace KBUILD_LANES {

// The operations of atomic instructions: old value and operand give the new value.

template <class T> struct AtomicAdd {
    T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
template <class T> struct AtomicSub {
    T operator()(T a, T b) const { return static_cast<T>(a - b); }
};
template <class T> struct AtomicReverseSub {
    T operator()(T a, T b) const { return static_cast<T>(b - a); }
};
template <class T> struct AtomicMin {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct AtomicMax {
    T operator()(T a, T b) const { return b > a ? b : a; }
};
template <class T> struct AtomicAnd {
    T operator()(T a, T b) const { return a & b; }
};
template <class T> struct AtomicOr {
    T operator()(T a, T b) const { return a | b; }
};
template <class T> struct AtomicXor {
    T operator()(T a, T b) const { return a ^ b; }
};
template <class T> struct AtomicSwap {
    T operator()(T, T b) const { return b; }
};
template <class T> struct AtomicIncrement {
    T operator()(T a, T b) const { return a >= b ? T{0} : static_cast<T>(a + 1); }
};
template <class T> struct AtomicDecrement {
    T operator()(T a, T b) const { return a == 0 || a > b ? b : static_cast<T>(a - 1); }
};
template <class T> struct AtomicAddFloat {
    T operator()(T a, T b) const { return fixed_nan(a + b); }
};
template <class T> struct AtomicMinFloat {
    T operator()(T a, T b) const { return std::isnan(a) ? b : std::isnan(b) ? a : std::min(a, b); }
};
template <class T> struct AtomicMaxFloat {
    T operator()(T a, T b) const { return std::isnan(a) ? b : std::isnan(b) ? a : std::max(a, b); }
};

inline float from_bf16(u32 bits) {
    return std::bit_cast<float>(bits << 16U);
}
inline u32 to_bf16(float value) {
    const u32 bits = std::bit_cast<u32>(value);
    if (value != value)
        return (bits >> 16U) | 0x40U;
    return (bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U;
}

struct AtomicAddPackedHalf {
    u32 operator()(u32 a, u32 b) const {
        const auto add = [](u32 x, u32 y) {
            const auto sum = static_cast<f16>(static_cast<float>(from_bits<f16>(x)) +
                                              static_cast<float>(from_bits<f16>(y)));
            return static_cast<u32>(std::bit_cast<u16>(sum));
        };
        return add(a & 0xffffU, b & 0xffffU) | add(a >> 16U, b >> 16U) << 16U;
    }
};
struct AtomicAddPackedBfloat {
    u32 operator()(u32 a, u32 b) const {
        return to_bf16(from_bf16(a & 0xffffU) + from_bf16(b & 0xffffU)) |
               to_bf16(from_bf16(a >> 16U) + from_bf16(b >> 16U)) << 16U;
    }
};

/// The type that an operation works on.
template <class F> struct AtomicValue;
template <template <class> class F, class T> struct AtomicValue<F<T>> {
    using type = T;
};
template <> struct AtomicValue<AtomicAddPackedHalf> {
    using type = u32;
};
template <> struct AtomicValue<AtomicAddPackedBfloat> {
    using type = u32;
};

/// The lane's data in the operand, from its register `word` on.
template <class T> T value_of(const Wave& w, const Operand& o, u32 lane, u32 word = 0) {
    const Register* const r = w.v + o.index + word;
    if constexpr (sizeof(T) == 8)
        return std::bit_cast<T>(r[0].lane[lane] | u64{r[1].lane[lane]} << 32U);
    else
        return std::bit_cast<T>(r[0].lane[lane]);
}

/// The lane's old value goes to the operand.
template <class T> void give_back(Wave& w, const Operand& o, u32 lane, T value) {
    const u64 bits = to_bits(value);
    w.v[o.index].lane[lane] = static_cast<u32>(bits);
    if constexpr (sizeof(T) == 8)
        w.v[o.index + 1U].lane[lane] = static_cast<u32>(bits >> 32U);
}

/// Work-groups run on several host threads, so the host's own atomics do it. Returns the old value.
template <class T, class F> T update(u8* at, F next) {
    using Bits = std::conditional_t<sizeof(T) == 8, u64, u32>;
    auto* const place = reinterpret_cast<Bits*>(at);
    Bits old = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (true) {
        const Bits wanted = std::bit_cast<Bits>(next(std::bit_cast<T>(old)));
        if (__atomic_compare_exchange_n(
                place, &old, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return std::bit_cast<T>(old);
    }
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
