#include "one_instruction.hpp"
#include "reference_float.hpp"

#include <algorithm>
#include <vector>

// Conversions: the value of the source, rounded once or saturated. For the 8-bit formats the
// nearest of all codes is looked for.

using namespace kbuild::emulator;

namespace {

constexpr u64 kPartly = 0x00ff5a5affffff01;

/// Interesting sources of any size: edges of floats and integers, and points between numbers.
std::vector<u64> sources_of(u32 bits) {
    std::vector<u64> codes;
    if (bits == 64) {
        for (const long double value : {0.0L,
                                        0x1p-1074L,
                                        0x1p-1022L,
                                        0x1p-150L,
                                        0x1.8p-149L,
                                        0x1p-126L,
                                        0.5L,
                                        1.5L,
                                        2.5L,
                                        0x1.000001p0L,
                                        0x1.000003p0L,
                                        255.5L,
                                        65504.0L,
                                        2147483646.5L,
                                        2147483647.0L,
                                        2147483647.5L,
                                        2147483648.0L,
                                        2147483649.0L,
                                        4294967294.5L,
                                        4294967295.0L,
                                        4294967296.0L,
                                        0x1.fffffefp127L,
                                        0x1.ffffffp127L,
                                        0x1p128L,
                                        0x1p1023L})
            codes.push_back(rounded_to(kF64, value));
        codes.insert(codes.end(),
                     {kF64.infinity(), kF64.infinity() | 1, kF64.infinity() | kF64.quiet()});
    } else if (bits == 32) {
        for (const long double value :
             {0.0L,     0x1p-149L,  0x1p-126L,     0x1p-25L,      0x1.8p-25L, 0x1p-24L,
              0x1p-14L, 0.0624L,    0.49999997L,   0.5L,          0.75L,      1.0L,
              1.5L,     2.5L,       3.5L,          254.5L,        255.0L,     255.5L,
              256.0L,   0x1.002p0L, 0x1.006p0L,    8388609.0L,    65504.0L,   65519.0L,
              65520.0L, 65536.0L,   2147483520.0L, 2147483648.0L, 1e20L,      0x1.fffffep127L})
            codes.push_back(rounded_to(kF32, value));
        codes.insert(codes.end(), {0x7f800000, 0x7f800001, 0x7fc00000});
    } else {
        codes = {0,      1,      0x3ff,  0x400,  0x3800, 0x3bff, 0x3c00, 0x3c01,
                 0x3e00, 0x4100, 0x4300, 0x5c00, 0x77ff, 0x7800, 0x7bff, 0x7c00,
                 0x7c01, 0x7e00, 0x7fff, 0x00ff, 0x0801, 0x1003};
    }
    for (std::size_t i = 0, count = codes.size(); i < count; ++i)
        codes.push_back(codes[i] | u64{1} << (bits - 1));
    return codes;
}

using Convert = u64 (*)(u64);

template <class T> T saturated(Format f, u64 code) {
    if (nan_in(f, code))
        return 0;
    const auto low = static_cast<long double>(std::numeric_limits<T>::min());
    const auto high = static_cast<long double>(std::numeric_limits<T>::max());
    return static_cast<T>(std::clamp(std::trunc(value_in(f, code)), low, high));
}

struct Case {
    const char* text; ///< to v8 or v[8:9] from v2 or v[2:3]
    u32 bits;         ///< of the source
    Format result;    ///< with 0 digits: an integer
    Convert convert;
};

void check_conversion(const Case& c, u64 exec) {
    const std::vector<u64> codes = sources_of(c.bits);
    for (u32 round = 0; round < 2; ++round) {
        OneWave one;
        const auto code = [&](u32 lane) { return codes[(lane + 64 * round) % codes.size()]; };
        for (u32 lane = 0; lane < kLanes; ++lane) {
            one.wave.v[2].lane[lane] =
                static_cast<u32>(code(lane)) | (c.bits == 16 ? 0x77770000U : 0U);
            one.wave.v[3].lane[lane] = static_cast<u32>(code(lane) >> 32U);
            one.wave.v[8].lane[lane] = 0xdeadbeef;
            one.wave.v[9].lane[lane] = 0xfeedface;
        }
        one.wave.set_scalar64(kExec, exec);
        run(one, c.text);
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const u64 got = pair_of(one, 8, lane) & (c.result.bits == 64 ? ~u64{0} : 0xffffffffU);
            const bool on = (exec >> lane & 1U) != 0;
            const u64 off = c.result.bits == 64 ? 0xfeedfacedeadbeef : 0xdeadbeef;
            const u64 want = on ? c.convert(code(lane)) : off;
            INFO(c.text << " lane " << lane << std::hex << " from " << code(lane) << " gives "
                        << got << ", not " << want);
            CHECK((on && c.result.mantissa != 0 ? same_code(c.result, got, want) : got == want));
        }
    }
}

constexpr Format kInteger{32, 0};

template <Format From, Format To> u64 between(u64 code) {
    return rounded_to(To, value_in(From, code));
}
template <Format From, class T> u64 to_integer(u64 code) {
    return static_cast<std::make_unsigned_t<T>>(saturated<T>(From, code));
}
template <class T, Format To> u64 from_integer(u64 code) {
    return rounded_to(To, static_cast<long double>(static_cast<T>(code)));
}

/// The formats without infinity and -0, of gfx942: how many digits, and the bias.
struct Eight {
    const char* name;
    i32 mantissa;
    i32 bias;
};
constexpr Eight kEights[] = {{"fp8", 3, 8}, {"bf8", 2, 16}};

long double value_of(const Eight& f, u32 code) {
    if (code == 0x80)
        return std::nanl("");
    const auto exponent = static_cast<i32>(code & 0x7fU) >> f.mantissa;
    const auto digits = static_cast<i32>(code & ((1U << f.mantissa) - 1));
    const long double size =
        exponent == 0 ? std::ldexp(static_cast<long double>(digits), 1 - f.bias - f.mantissa)
                      : std::ldexp(static_cast<long double>(digits + (1 << f.mantissa)),
                                   exponent - f.bias - f.mantissa);
    return code >= 0x80 ? -size : size;
}

/// Tries all codes: the nearest wins, of two the even one. Where the number after the largest would
/// be nearer, the result is NaN, or the largest if conversions saturate.
u32 nearest_code(const Eight& f, u32 source, bool saturate) {
    const long double value = value_in(kF32, source);
    const bool negative = negative_in(kF32, source);
    const u32 largest = negative ? 0xffU : 0x7fU;
    if (std::isnan(value))
        return 0x80;
    const long double beyond =
        2 * value_of(f, 0x7f) - value_of(f, 0x7e); // as if the exponents went on
    const long double size = std::fabs(value);
    if (size >= (value_of(f, 0x7f) + beyond) / 2)
        return saturate ? largest : 0x80U;
    u32 best = 0;
    for (u32 code = 1; code < 0x80; ++code) {
        const long double now = std::fabs(value_of(f, code) - size);
        const long double before = std::fabs(value_of(f, best) - size);
        if (now < before || (now == before && code % 2 == 0))
            best = code;
    }
    return best == 0 || !negative ? best : best | 0x80U;
}

std::vector<u32> sources_of(const Eight& f) {
    std::vector<u32> codes = {0, 0x7f800000, 0x7f7fffff, 0x7fc00000, 0x7f800001, 1, 0x007fffff};
    for (u32 code = 0; code < 0x80; ++code) {
        const long double a = value_of(f, code);
        const long double b = code == 0x7f ? 2 * a - value_of(f, 0x7e) : value_of(f, code + 1);
        for (const long double value : {a, (a + b) / 2, (3 * a + b) / 4, (a + 3 * b) / 4})
            codes.push_back(static_cast<u32>(rounded_to(kF32, value)));
        const auto middle = static_cast<u32>(rounded_to(kF32, (a + b) / 2));
        codes.push_back(middle + 1);
        if (middle != 0)
            codes.push_back(middle - 1);
    }
    for (std::size_t i = 0, count = codes.size(); i < count; ++i)
        codes.push_back(codes[i] | 0x80000000U);
    return codes;
}

} // namespace

TEST_CASE("conversions between formats round once, to integers they saturate") {
    const Case cases[] = {
        {"v_cvt_f32_f64_e32 v8, v[2:3]", 64, kF32, &between<kF64, kF32>},
        {"v_cvt_f64_f32_e32 v[8:9], v2", 32, kF64, &between<kF32, kF64>},
        {"v_cvt_f16_f32_e32 v8, v2", 32, kF16, &between<kF32, kF16>},
        {"v_cvt_f32_f16_e32 v8, v2", 16, kF32, &between<kF16, kF32>},
        {"v_cvt_i32_f64_e32 v8, v[2:3]", 64, kInteger, &to_integer<kF64, i32>},
        {"v_cvt_u32_f64_e32 v8, v[2:3]", 64, kInteger, &to_integer<kF64, u32>},
        {"v_cvt_i16_f16_e32 v8, v2", 16, kInteger, &to_integer<kF16, i16>},
        {"v_cvt_u16_f16_e32 v8, v2", 16, kInteger, &to_integer<kF16, u16>},
        {"v_cvt_f16_i16_e32 v8, v2", 16, kF16, &from_integer<i16, kF16>},
        {"v_cvt_f16_u16_e32 v8, v2", 16, kF16, &from_integer<u16, kF16>},
        {"v_cvt_flr_i32_f32_e32 v8, v2",
         32,
         kInteger,
         [](u64 code) -> u64 {
             const u64 floor = rounded_to(kF32, std::floor(value_in(kF32, code)));
             return static_cast<u32>(saturated<i32>(kF32, floor));
         }},
        {"v_cvt_rpi_i32_f32_e32 v8, v2",
         32,
         kInteger,
         [](u64 code) -> u64 {
             const u64 sum = rounded_to(kF32, value_in(kF32, code) + 0.5L);
             const u64 floor = rounded_to(kF32, std::floor(value_in(kF32, sum)));
             return static_cast<u32>(saturated<i32>(kF32, floor));
         }},
        {"v_cvt_off_f32_i4_e32 v8, v2",
         16,
         kF32,
         [](u64 code) {
             const auto low = static_cast<i32>(code & 15U);
             return rounded_to(kF32, static_cast<long double>(low < 8 ? low : low - 16) / 16);
         }},
    };
    for (const auto& c : cases)
        for (const u64 exec : {~u64{0}, kPartly, u64{0}})
            check_conversion(c, exec);
}

TEST_CASE("conversions take the sign and the size of their source, and clamp") {
    const Case cases[] = {
        {"v_cvt_f16_f32_e64 v8, -|v2|",
         32,
         kF16,
         [](u64 code) { return rounded_to(kF16, value_in(kF32, code | 0x80000000U)); }},
        {"v_cvt_f32_f64_e64 v8, |v[2:3]| clamp",
         64,
         kF32,
         [](u64 code) -> u64 {
             const long double value = value_in(kF64, code & ~kF64.sign());
             return value > 0 ? rounded_to(kF32, std::min(value, 1.0L)) : 0;
         }},
        {"v_cvt_i32_f64_e64 v8, -v[2:3]",
         64,
         kInteger,
         [](u64 code) { return to_integer<kF64, i32>(code ^ kF64.sign()); }},
        {"v_cvt_f32_f16_sdwa v8, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1",
         16,
         kF32,
         [](u64) { return rounded_to(kF32, value_in(kF16, 0x7777)); }},
    };
    for (const auto& c : cases)
        check_conversion(c, ~u64{0});
}

TEST_CASE("two numbers become halves rounded toward zero, or saturated 16-bit integers") {
    const std::vector<u64> floats = sources_of(32);
    OneWave one;
    for (u32 lane = 0; lane < kLanes; ++lane) {
        one.wave.v[1].lane[lane] = static_cast<u32>(floats[lane % floats.size()]);
        one.wave.v[2].lane[lane] = static_cast<u32>(floats[(lane * 5 + 3) % floats.size()]);
        one.wave.v[3].lane[lane] = edge(lane);
        one.wave.v[4].lane[lane] = edge(lane * 7 + 2);
    }
    const auto toward_zero = [](u32 code) {
        return rounded_to(kF16, value_in(kF32, code), Rounding::toward_zero);
    };
    run(one, "v_cvt_pkrtz_f16_f32 v8, v1, v2");
    for (u32 lane = 0; lane < kLanes; ++lane) {
        const u32 got = one.wave.v[8].lane[lane];
        INFO("lane " << lane << std::hex << ": " << got);
        CHECK(same_code(kF16, got & 0xffffU, toward_zero(one.wave.v[1].lane[lane])));
        CHECK(same_code(kF16, got >> 16U, toward_zero(one.wave.v[2].lane[lane])));
    }
    run(one, "v_cvt_pk_u16_u32 v8, v3, v4");
    run(one, "v_cvt_pk_i16_i32 v9, v3, v4");
    for (u32 lane = 0; lane < kLanes; ++lane) {
        const auto a = i64{one.wave.v[3].lane[lane]};
        const auto b = i64{one.wave.v[4].lane[lane]};
        const auto with_sign = [](i64 word) {
            return word >= 0x80000000 ? word - 0x100000000 : word;
        };
        const auto half = [](i64 value, i64 low, i64 high) {
            return static_cast<u32>(std::max(low, std::min(value, high))) & 0xffffU;
        };
        INFO("lane " << lane);
        CHECK(one.wave.v[8].lane[lane] == (half(a, 0, 65535) | half(b, 0, 65535) << 16U));
        CHECK(one.wave.v[9].lane[lane] ==
              (half(with_sign(a), -32768, 32767) | half(with_sign(b), -32768, 32767) << 16U));
    }
}

TEST_CASE("a float becomes a byte of a word, saturated and to the nearest") {
    const std::vector<u64> floats = sources_of(32);
    for (u32 byte = 0; byte < 4; ++byte) {
        OneWave one;
        for (u32 lane = 0; lane < kLanes; ++lane) {
            one.wave.v[1].lane[lane] = static_cast<u32>(floats[lane % floats.size()]);
            one.wave.v[2].lane[lane] = byte | 0xabcd00U; // the low two bits count
            one.wave.v[3].lane[lane] = 0x12345678;
        }
        run(one, "v_cvt_pk_u8_f32 v8, v1, v2, v3");
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const long double value = value_in(kF32, one.wave.v[1].lane[lane]);
            const auto code =
                std::isnan(value)
                    ? 0U
                    : static_cast<u32>(std::nearbyint(std::max(0.0L, std::min(value, 255.0L))));
            INFO("lane " << lane << " byte " << byte);
            CHECK(one.wave.v[8].lane[lane] ==
                  ((0x12345678U & ~(0xffU << 8 * byte)) | code << 8 * byte));
        }
    }
}

TEST_CASE("floats become the nearest 8-bit numbers, in the half that op_sel names") {
    for (const auto& f : kEights)
        for (const bool saturate : {false, true})
            for (const bool high : {false, true}) {
                const std::vector<u32> codes = sources_of(f);
                for (std::size_t start = 0; start < codes.size(); start += kLanes) {
                    OneWave one;
                    if (saturate)
                        one.wave.mode |= 1U << 23U; // FP16_OVFL
                    const auto at = [&](std::size_t i) { return codes[i % codes.size()]; };
                    for (u32 lane = 0; lane < kLanes; ++lane) {
                        one.wave.v[1].lane[lane] = at(start + lane);
                        one.wave.v[2].lane[lane] = at(2 * (start + lane) + 1);
                        one.wave.v[8].lane[lane] = 0xdeadbeef;
                    }
                    one.wave.set_scalar64(kExec, kPartly);
                    run(one,
                        std::string("v_cvt_pk_") + f.name + "_f32 v8, v1, v2" +
                            (high ? " op_sel:[0,0,1]" : ""));
                    for (u32 lane = 0; lane < kLanes; ++lane) {
                        const u32 pair = nearest_code(f, at(start + lane), saturate) |
                                         nearest_code(f, at(2 * (start + lane) + 1), saturate)
                                             << 8U;
                        const u32 want = (kPartly >> lane & 1U) == 0 ? 0xdeadbeefU
                                         : high                      ? pair << 16U | 0xbeefU
                                                                     : 0xdead0000U | pair;
                        INFO(f.name << " lane " << lane << std::hex << ": " << at(start + lane)
                                    << " gives " << one.wave.v[8].lane[lane] << ", not " << want);
                        CHECK(one.wave.v[8].lane[lane] == want);
                    }
                }
            }
}

TEST_CASE("every 8-bit code becomes its float, one or two at a time, from any byte or half") {
    for (const auto& f : kEights)
        for (u32 start = 0; start < 256; start += kLanes)
            for (u32 byte = 0; byte < 4; ++byte) {
                OneWave one;
                const auto code = [&](u32 lane, u32 i) { return (start + lane + 85 * i) % 256; };
                for (u32 lane = 0; lane < kLanes; ++lane)
                    for (u32 i = 0; i < 4; ++i)
                        one.wave.v[2].lane[lane] |= code(lane, i) << 8 * i;
                const std::string name = f.name;
                run(one,
                    "v_cvt_f32_" + name + "_sdwa v8, v2 src0_sel:BYTE_" + std::to_string(byte));
                run(one,
                    "v_cvt_pk_f32_" + name + "_sdwa v[10:11], v2 src0_sel:WORD_" +
                        std::to_string(byte / 2));
                for (u32 lane = 0; lane < kLanes; ++lane) {
                    const auto float_of = [&](u32 i) {
                        return rounded_to(kF32, value_of(f, code(lane, i)));
                    };
                    INFO(name << " lane " << lane << " byte " << byte);
                    CHECK(same_code(kF32, one.wave.v[8].lane[lane], float_of(byte)));
                    CHECK(same_code(kF32, one.wave.v[10].lane[lane], float_of(byte / 2 * 2)));
                    CHECK(same_code(kF32, one.wave.v[11].lane[lane], float_of(byte / 2 * 2 + 1)));
                }
            }
}
