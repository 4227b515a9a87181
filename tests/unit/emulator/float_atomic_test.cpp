#include "lane_memory.hpp"
#include "reference_float.hpp"

#include <array>
#include <vector>

// Atomic sums, minima and maxima of floating-point numbers; swizzles through LDS's crossbar; loads
// straight into LDS.

using namespace kbuild::emulator;

namespace {

using Combine = u64 (*)(Format, u64 old, u64 value);

u64 sum(Format f, u64 old, u64 value) {
    if (f.bits == 64)
        return std::bit_cast<u64>(std::bit_cast<double>(old) + std::bit_cast<double>(value));
    return rounded_to(f, value_in(f, old) + value_in(f, value));
}
u64 smaller(Format f, u64 old, u64 value) {
    return value_in(f, value) < value_in(f, old) ? value : old;
}
u64 larger(Format f, u64 old, u64 value) {
    return value_in(f, value) > value_in(f, old) ? value : old;
}

/// Without NaN, on which the ISA's formula and LLVM's meaning of fmin and fmax differ.
std::vector<u64> numbers_of(Format f, bool with_nan) {
    const u64 one = rounded_to(f, 1);
    std::vector<u64> codes = {0,
                              1,
                              u64{1} << f.mantissa,
                              one,
                              one + 1,
                              rounded_to(f, 0x1p-9L),
                              rounded_to(f, 1.0L / 3),
                              rounded_to(f, 3.5L),
                              rounded_to(f, 77.0L),
                              f.infinity() - 1,
                              f.infinity()};
    if (with_nan)
        codes.push_back(f.infinity() | f.quiet());
    for (std::size_t i = 0, count = codes.size(); i < count; ++i)
        codes.push_back(codes[i] | f.sign());
    return codes;
}

struct Atomic {
    const char* name; ///< without _rtn
    Format format;
    bool packed;
    Combine combine;
};

/// ds_add_rtn_f32 for ds_add_f32.
std::string returning(const std::string& name) {
    const auto at = name.rfind('_');
    return name.substr(0, at) + "_rtn" + name.substr(at);
}

std::string text_of(const Atomic& atomic, const LaneMemory& memory, bool returns) {
    const std::string name = atomic.name;
    const bool ds = name.starts_with("ds_");
    const u32 words = atomic.format.bits == 64 ? 2 : 1;
    const std::string full = ds && returns ? returning(name) : name;
    const std::string text = memory.store(full, registers(10, words));
    if (!returns)
        return text;
    if (name.starts_with("buffer"))
        return text + " sc0";
    return full + " " + registers(20, words) + "," + text.substr(full.size()) + (ds ? "" : " sc0");
}

void check_atomic(const Atomic& atomic, bool returns) {
    const Format f = atomic.format;
    const std::vector<u64> codes = numbers_of(f, atomic.combine == &sum);
    const u32 words = f.bits == 64 ? 2 : 1;
    for (u32 round = 0; round < 24; ++round) {
        LaneMemory memory(atomic.name);
        std::array<u64, kLanes> old{};
        std::array<u64, kLanes> value{};
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const auto code = [&](u32 i) { return codes[i % codes.size()]; };
            old[lane] = code(lane) | (atomic.packed ? code(lane * 3 + 1) << 16U : 0U);
            value[lane] =
                code(lane / 24 + 2 * round) | (atomic.packed ? code(lane + round) << 16U : 0U);
            if (words == 2)
                memory.put(lane, old[lane]);
            else
                memory.put(lane, static_cast<u32>(old[lane]));
            for (u32 word = 0; word < words; ++word)
                memory.one.wave.v[10 + word].lane[lane] =
                    static_cast<u32>(value[lane] >> (32 * word));
        }
        const std::string text = text_of(atomic, memory, returns);
        run(memory.one, text);
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const u64 got = words == 2 ? memory.at<u64>(lane) : memory.at<u32>(lane);
            INFO(text << " lane " << lane << std::hex << ": " << old[lane] << " and " << value[lane]
                      << " give " << got);
            if (!is_on(lane)) {
                CHECK(got == old[lane]);
                continue;
            }
            for (u32 part = 0; part <= (atomic.packed ? 16U : 0U); part += 16) {
                const u64 want =
                    atomic.combine(f, old[lane] >> part & f.all(), value[lane] >> part & f.all());
                CHECK(same_code(f, got >> part & f.all(), want));
            }
            const u32 result = std::string(atomic.name).starts_with("buffer") ? 10 : 20;
            if (returns && words == 2)
                CHECK(pair_of(memory.one, result, lane) == old[lane]);
            if (returns && words == 1)
                CHECK(memory.one.wave.v[result].lane[lane] == old[lane]);
        }
    }
}

/// The lane that each lane reads.
using Order = std::array<u32, kLanes>;

void check_swizzle(const std::string& text, u32 offset, const Order& order) {
    for (const u64 exec : {~u64{0}, kExecOn}) {
        OneWave one;
        prepared(one).wave.set_scalar64(kExec, exec);
        run(one, "ds_swizzle_b32 v0, v1 " + text, offset);
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const bool on = (exec >> lane & 1U) != 0;
            const bool source_on = (exec >> order[lane] & 1U) != 0;
            INFO(text << " lane " << lane);
            CHECK(one.wave.v[0].lane[lane] == (!on         ? 0xdeadbeefU
                                               : source_on ? first(order[lane])
                                                           : 0U));
        }
    }
}

template <class F> Order order_of(F f) {
    Order order{};
    for (u32 lane = 0; lane < kLanes; ++lane)
        order[lane] = f(lane);
    return order;
}

} // namespace

TEST_CASE(
    "atomic sums round once, minima and maxima keep one of two, and the old value comes back") {
    const Atomic atomics[] = {
        {"ds_add_f32", kF32, false, &sum},
        {"ds_min_f32", kF32, false, &smaller},
        {"ds_max_f32", kF32, false, &larger},
        {"ds_add_f64", kF64, false, &sum},
        {"ds_min_f64", kF64, false, &smaller},
        {"ds_max_f64", kF64, false, &larger},
        {"ds_pk_add_f16", kF16, true, &sum},
        {"ds_pk_add_bf16", kBf16, true, &sum},
        {"global_atomic_add_f32", kF32, false, &sum},
        {"global_atomic_add_f64", kF64, false, &sum},
        {"global_atomic_min_f64", kF64, false, &smaller},
        {"global_atomic_max_f64", kF64, false, &larger},
        {"global_atomic_pk_add_f16", kF16, true, &sum},
        {"global_atomic_pk_add_bf16", kBf16, true, &sum},
        {"flat_atomic_add_f32", kF32, false, &sum},
        {"flat_atomic_add_f64", kF64, false, &sum},
        {"flat_atomic_min_f64", kF64, false, &smaller},
        {"flat_atomic_max_f64", kF64, false, &larger},
        {"flat_atomic_pk_add_f16", kF16, true, &sum},
        {"flat_atomic_pk_add_bf16", kBf16, true, &sum},
        {"buffer_atomic_add_f32", kF32, false, &sum},
        {"buffer_atomic_add_f64", kF64, false, &sum},
        {"buffer_atomic_pk_add_f16", kF16, true, &sum},
    };
    for (const auto& atomic : atomics)
        for (const bool returns : {false, true})
            check_atomic(atomic, returns);
}

TEST_CASE("atomic sums of lanes at one address add up in the order of the lanes") {
    OneWave one;
    for (u32 lane = 0; lane < kLanes; ++lane) {
        one.wave.v[1].lane[lane] = 0;
        one.wave.v[2].lane[lane] = bits(static_cast<float>(lane + 1));
    }
    const u32 zero = 0;
    std::memcpy(one.group.lds, &zero, sizeof zero);
    run(one, "ds_add_rtn_f32 v3, v1, v2");
    for (u32 lane = 0; lane < kLanes; ++lane)
        CHECK(number(one.wave.v[3].lane[lane]) == static_cast<float>(lane * (lane + 1) / 2));
}

TEST_CASE(
    "ds_swizzle_b32: quads in any order, masks, rotation and the order of a Fourier transform") {
    check_swizzle("offset:swizzle(QUAD_PERM,3,0,2,1)",
                  0x8000 | 3 | 0 << 2 | 2 << 4 | 1 << 6,
                  order_of([](u32 lane) {
                      static constexpr u32 kQuad[] = {3, 0, 2, 1};
                      return lane / 4 * 4 + kQuad[lane % 4];
                  }));
    check_swizzle("offset:swizzle(SWAP,16)", 0x401f, order_of([](u32 lane) { return lane ^ 16U; }));
    check_swizzle(
        "offset:swizzle(REVERSE,8)", 0x1c1f, order_of([](u32 lane) { return lane ^ 7U; }));
    check_swizzle("offset:swizzle(BROADCAST,8,5)", 5U << 5U | 0x18U, order_of([](u32 lane) {
                      return lane / 8 * 8 + 5;
                  }));
    check_swizzle("offset:swizzle(ROTATE,0,3)", 0xc000 | 3 << 5, order_of([](u32 lane) {
                      return lane / 32 * 32 + (lane + 3) % 32;
                  }));
    check_swizzle("offset:swizzle(ROTATE,1,3)", 0xc400 | 3 << 5, order_of([](u32 lane) {
                      return lane / 32 * 32 + (lane + 29) % 32;
                  }));
    // Without a mask lane i reads the lane whose number has i's five bits in the opposite order.
    check_swizzle("offset:swizzle(FFT,0)", 0xe000, order_of([](u32 lane) {
                      u32 from = lane & 32U;
                      for (u32 i = 0; i < 5; ++i)
                          from |= (lane >> i & 1U) << (4 - i);
                      return from;
                  }));
    // The ISA's list for mask 0x10, which counts lanes from 1.
    static constexpr u32 kListed[] = {1,  9,  5,  13, 3,  11, 7,  15, 2,  10, 6,
                                      14, 4,  12, 8,  16, 17, 25, 21, 29, 19, 27,
                                      23, 31, 18, 26, 22, 30, 20, 28, 24, 32};
    check_swizzle("offset:swizzle(FFT,16)", 0xe010, order_of([](u32 lane) {
                      return lane / 32 * 32 + kListed[lane % 32] - 1;
                  }));
}

TEST_CASE("global_load_lds_dword puts the lanes' words one behind the other, from M0 on") {
    LaneMemory memory("global_load_lds_dword");
    memory.one.wave.s[kM0] = 128;
    for (u32 i = 0; i < memory.one.group.lds_bytes; ++i)
        memory.one.group.lds[i] = 0xee;
    run(memory.one, "global_load_lds_dword v[2:3], off offset:4");
    for (u32 lane = 0; lane < kLanes; ++lane) {
        u32 got = 0;
        std::memcpy(&got, memory.one.group.lds + 128 + 4 + 4 * lane, sizeof got);
        INFO("lane " << lane);
        CHECK(got == (is_on(lane) ? memory.at<u32>(lane, 4) : 0xeeeeeeeeU));
    }
}
