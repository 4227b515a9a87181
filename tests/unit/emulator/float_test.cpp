#include "one_instruction.hpp"
#include "reference_float.hpp"

#include <vector>

// Floating-point instructions of three sizes against the ISA's formulas, each over pairs and
// triples of edges, with the modifiers of its encoding, and with EXEC on, off and in part.

using namespace kbuild::emulator;

namespace {

constexpr u64 kPartly = 0xf00f00ff5555000f;

/// Zeros, denormals, the smallest and largest numbers, infinities, NaNs of both kinds, and others.
std::vector<u64> edges_of(Format f) {
    const u64 one = rounded_to(f, 1);
    const u64 smallest = u64{1} << f.mantissa;
    std::vector<u64> codes = {0,
                              1,
                              smallest - 1,
                              smallest,
                              one - 1,
                              one,
                              one + 1,
                              rounded_to(f, 2.5L),
                              rounded_to(f, 3.5L),
                              rounded_to(f, 0.49999997L),
                              rounded_to(f, 1.0L / 3),
                              rounded_to(f, 1000.75L),
                              f.infinity() - 1,
                              f.infinity(),
                              f.infinity() | f.quiet(),
                              f.infinity() | 1};
    for (std::size_t i = 0, count = codes.size(); i < count; ++i)
        codes.push_back(codes[i] | f.sign());
    return codes;
}

/// What is done to a source or a result besides the operation.
struct Modifiers {
    std::string before[3]; ///< around the sources
    std::string after[3];
    std::string suffix; ///< behind the operands
};

using Formula3 = u64 (*)(Format, u64, u64, u64);

struct Case {
    const char* name; ///< as VOP3, without _e64
    Format format;    ///< of the sources, unless a formula takes them otherwise
    u32 sources;
    Formula3 formula;
    Format result = {};      ///< the same as `format` if it has no bits
    u32 integer_sources = 0; ///< bit i: source i is an integer
    bool short_form = false; ///< also a VOP1 or VOP2 instruction, so that VOP3 has _e64
    bool keeps_half = false; ///< the other half of a 16-bit result's register
    bool zero_signs = true;  ///< whether the formula tells the sign of a zero
    bool integer_result = false;
};

std::string source(const Case& c, u32 i) {
    const std::string first = std::to_string(2 + 2 * i);
    const bool wide = c.format.bits == 64 && (c.integer_sources >> i & 1U) == 0;
    return wide ? "v[" + first + ":" + std::to_string(3 + 2 * i) + "]" : "v" + first;
}

std::string text_of(const Case& c, const Modifiers& m) {
    const Format result = c.result.bits == 0 ? c.format : c.result;
    std::string text = std::string(c.name) + (c.short_form ? "_e64 " : " ");
    text += result.bits == 64 ? "v[8:9]" : "v8";
    for (u32 i = 0; i < c.sources; ++i)
        text += ", " + m.before[i] + source(c, i) + m.after[i];
    return text + m.suffix;
}

u64 modified(Format f, u64 code, const std::string& before) {
    if (before.find('|') != std::string::npos)
        code &= ~f.sign();
    return before.find('-') != std::string::npos ? code ^ f.sign() : code;
}

/// Output scale, then clamp to 0..1 (NaN becomes 0).
u64 shaped(Format f, u64 code, const std::string& suffix) {
    const long double scale = suffix.find("mul:2") != std::string::npos   ? 2.0L
                              : suffix.find("mul:4") != std::string::npos ? 4.0L
                              : suffix.find("div:2") != std::string::npos ? 0.5L
                                                                          : 1.0L;
    if (scale != 1.0L)
        code = rounded_to(f, value_in(f, code) * scale);
    if (suffix.find("clamp") == std::string::npos)
        return code;
    const long double value = value_in(f, code);
    return !(value > 0) ? 0 : rounded_to(f, value < 1 ? value : 1);
}

bool same_result(const Case& c, u64 got, u64 want) {
    const Format f = c.result.bits == 0 ? c.format : c.result;
    if (c.integer_result)
        return (got & f.all()) == (want & f.all());
    if (!c.zero_signs && zero_in(f, got) && zero_in(f, want))
        return true;
    return same_code(f, got, want);
}

/// One wave's worth of operands: lane l of round r takes edges number r, l and a few more.
void fill(OneWave& one, const Case& c, u32 round) {
    const std::vector<u64> edges = edges_of(c.format);
    static constexpr i32 kIntegers[] = {0,
                                        1,
                                        -1,
                                        5,
                                        -5,
                                        14,
                                        -14,
                                        24,
                                        -24,
                                        40,
                                        -40,
                                        127,
                                        -127,
                                        1000,
                                        -1000,
                                        2147483647,
                                        -2147483647};
    for (u32 lane = 0; lane < kLanes; ++lane)
        for (u32 i = 0; i < 3; ++i) {
            const u32 at = i == 0 ? lane : i == 1 ? lane / 32 + 2 * round : lane * 7 + round * 5;
            u64 code = edges[at % edges.size()];
            if ((c.integer_sources >> i & 1U) != 0)
                code = static_cast<u64>(i64{kIntegers[(at + lane) % std::size(kIntegers)]});
            one.wave.v[2 + 2 * i].lane[lane] = static_cast<u32>(code);
            one.wave.v[3 + 2 * i].lane[lane] = static_cast<u32>(code >> 32U);
            if (c.format.bits == 16)
                one.wave.v[2 + 2 * i].lane[lane] |= 0xa5a50000U; // not looked at
        }
    for (u32 lane = 0; lane < kLanes; ++lane) {
        one.wave.v[8].lane[lane] = 0xdeadbeef;
        one.wave.v[9].lane[lane] = 0xfeedface;
    }
}

void check_case(const Case& c, const Modifiers& m, u64 exec) {
    const Format result = c.result.bits == 0 ? c.format : c.result;
    const std::string text = text_of(c, m);
    for (u32 round = 0; round < 16; ++round) {
        OneWave one;
        fill(one, c, round);
        one.wave.set_scalar64(kExec, exec);
        u64 codes[3][kLanes];
        for (u32 i = 0; i < 3; ++i)
            for (u32 lane = 0; lane < kLanes; ++lane)
                codes[i][lane] = pair_of(one, 2 + 2 * i, lane);
        run(one, text);
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const u64 got = pair_of(one, 8, lane);
            u64 sources[3];
            for (u32 i = 0; i < 3; ++i) {
                const bool integer = (c.integer_sources >> i & 1U) != 0;
                sources[i] = integer
                                 ? codes[i][lane]
                                 : modified(c.format, codes[i][lane] & c.format.all(), m.before[i]);
            }
            u64 want = c.formula(c.format, sources[0], sources[1], sources[2]);
            if (!c.integer_result)
                want = shaped(result, want, m.suffix);
            INFO(text << " lane " << lane << std::hex << ": " << sources[0] << ", " << sources[1]
                      << ", " << sources[2] << " gives " << got << ", not " << want);
            if ((exec >> lane & 1U) == 0) {
                CHECK(got == 0xfeedfacedeadbeef);
                continue;
            }
            CHECK(same_result(c, got, want));
            if (result.bits == 16)
                CHECK((got >> 16U & 0xffffU) == (c.keeps_half ? 0xdeadU : 0U));
        }
    }
}

void check_all(const std::vector<Case>& cases, const std::vector<Modifiers>& modifiers) {
    for (const auto& c : cases) {
        for (const auto& m : modifiers)
            check_case(c, m, ~u64{0});
        check_case(c, {}, kPartly);
        check_case(c, {}, 0);
    }
}

const std::vector<Modifiers> kSigns = {{},
                                       {{"-", "", ""}, {}, ""},
                                       {{"|", "-", ""}, {"|", "", ""}, ""},
                                       {{"", "-|", "-"}, {"", "|", ""}, ""}};
std::vector<Modifiers> signs_and(const std::vector<std::string>& suffixes) {
    std::vector<Modifiers> all = kSigns;
    for (const auto& suffix : suffixes)
        all.push_back({{}, {}, " " + suffix});
    return all;
}

// The ISA's formulas.

u64 quieted(Format f, u64 code) {
    return code | f.quiet();
}

u64 minimum(Format f, u64 a, u64 b, u64) {
    if (signaling_in(f, a))
        return quieted(f, a);
    if (signaling_in(f, b))
        return quieted(f, b);
    if (nan_in(f, a))
        return b;
    if (nan_in(f, b))
        return a;
    if (zero_in(f, a) && zero_in(f, b))
        return negative_in(f, a) ? a : b;
    return value_in(f, a) < value_in(f, b) ? a : b;
}

u64 maximum(Format f, u64 a, u64 b, u64) {
    if (signaling_in(f, a))
        return quieted(f, a);
    if (signaling_in(f, b))
        return quieted(f, b);
    if (nan_in(f, a))
        return b;
    if (nan_in(f, b))
        return a;
    if (zero_in(f, a) && zero_in(f, b))
        return negative_in(f, a) ? b : a;
    return value_in(f, a) >= value_in(f, b) ? a : b;
}

u64 minimum3(Format f, u64 a, u64 b, u64 c) {
    return minimum(f, minimum(f, a, b, 0), c, 0);
}
u64 maximum3(Format f, u64 a, u64 b, u64 c) {
    return maximum(f, maximum(f, a, b, 0), c, 0);
}

u64 median3(Format f, u64 a, u64 b, u64 c) {
    if (nan_in(f, a) || nan_in(f, b) || nan_in(f, c))
        return minimum3(f, a, b, c);
    const long double largest = value_in(f, maximum3(f, a, b, c));
    if (largest == value_in(f, a))
        return maximum(f, b, c, 0);
    return largest == value_in(f, b) ? maximum(f, a, c, 0) : maximum(f, a, b, 0);
}

u64 frexp_mantissa(Format f, u64 a, u64, u64) {
    if (nan_in(f, a) || infinite_in(f, a))
        return a;
    int exponent = 0;
    return rounded_to(f, std::frexp(value_in(f, a), &exponent));
}

u64 frexp_exponent(Format f, u64 a, u64, u64) {
    if (nan_in(f, a) || infinite_in(f, a))
        return 0;
    int exponent = 0;
    std::frexp(value_in(f, a), &exponent);
    return static_cast<u32>(exponent);
}

u64 scaled_by_power(Format f, u64 a, u64 b, u64) {
    const auto power = f.bits == 16 ? i32{static_cast<i16>(b)} : static_cast<i32>(b);
    return rounded_to(f, std::ldexp(value_in(f, a), std::max(-8000, std::min(power, 8000))));
}

/// x - floor(x), rounded; LLVM counts on it to stay below 1.
u64 fraction(Format f, u64 a, u64, u64) {
    const long double x = value_in(f, a);
    const u64 part = rounded_to(f, x - std::floor(x));
    return part == rounded_to(f, 1) ? part - 1 : part;
}

u64 legacy_product(Format f, u64 a, u64 b, u64) {
    if (zero_in(f, a) || zero_in(f, b))
        return 0;
    return rounded_to(f, value_in(f, a) * value_in(f, b));
}

u64 division_fixup(Format f, u64 quotient, u64 denominator, u64 numerator) {
    const u64 sign = (denominator ^ numerator) & f.sign();
    if (nan_in(f, numerator))
        return quieted(f, numerator);
    if (nan_in(f, denominator))
        return quieted(f, denominator);
    const bool none = zero_in(f, denominator) && zero_in(f, numerator);
    const bool both = infinite_in(f, denominator) && infinite_in(f, numerator);
    if (none || both)
        return f.sign() | f.infinity() | f.quiet();
    if (zero_in(f, denominator) || infinite_in(f, numerator))
        return sign | f.infinity();
    if (infinite_in(f, denominator) || zero_in(f, numerator))
        return sign;
    const auto exponent = [f](u64 code) {
        return static_cast<i32>((code & f.infinity()) >> f.mantissa);
    };
    const i32 underflow = f.bits == 64 ? -1075 : -150;
    if (f.bits != 16 && exponent(numerator) - exponent(denominator) < underflow)
        return sign;
    // AMD's formula looks at the denominator's exponent, which can't be that large any more.
    if (f.bits != 16 && exponent(quotient) == 2 * f.bias() + 1)
        return sign | f.infinity();
    return sign | (quotient & ~f.sign());
}

constexpr Format kInteger32{32, 0};
constexpr Format kInteger16{16, 0};

Case unary(const char* name, Format f, Formula3 formula) {
    return {.name = name, .format = f, .sources = 1, .formula = formula, .short_form = true};
}

} // namespace

TEST_CASE("smaller, larger and middle numbers, with NaN, zeros and modifiers") {
    const std::vector<Modifiers> all = signs_and({"clamp"});
    check_all({{.name = "v_min_f16",
                .format = kF16,
                .sources = 2,
                .formula = minimum,
                .short_form = true},
               {.name = "v_max_f16",
                .format = kF16,
                .sources = 2,
                .formula = maximum,
                .short_form = true},
               {.name = "v_min3_f16", .format = kF16, .sources = 3, .formula = minimum3},
               {.name = "v_max3_f16", .format = kF16, .sources = 3, .formula = maximum3},
               {.name = "v_med3_f16",
                .format = kF16,
                .sources = 3,
                .formula = median3,
                .zero_signs = false},
               {.name = "v_min_f32",
                .format = kF32,
                .sources = 2,
                .formula = minimum,
                .short_form = true},
               {.name = "v_max_f32",
                .format = kF32,
                .sources = 2,
                .formula = maximum,
                .short_form = true},
               {.name = "v_min3_f32", .format = kF32, .sources = 3, .formula = minimum3},
               {.name = "v_max3_f32", .format = kF32, .sources = 3, .formula = maximum3},
               {.name = "v_med3_f32",
                .format = kF32,
                .sources = 3,
                .formula = median3,
                .zero_signs = false},
               {.name = "v_min_f64", .format = kF64, .sources = 2, .formula = minimum},
               {.name = "v_max_f64", .format = kF64, .sources = 2, .formula = maximum}},
              all);
}

TEST_CASE("numbers are taken apart into mantissa, exponent and fraction, denormals too") {
    check_all(
        {unary("v_frexp_mant_f16", kF16, frexp_mantissa),
         unary("v_frexp_mant_f32", kF32, frexp_mantissa),
         unary("v_frexp_mant_f64", kF64, frexp_mantissa),
         unary("v_fract_f16", kF16, fraction),
         unary("v_fract_f32", kF32, fraction),
         unary("v_fract_f64", kF64, fraction)},
        {{}, {{"-", "", ""}, {}, ""}, {{"|", "", ""}, {"|", "", ""}, ""}, {{}, {}, " clamp"}});
    std::vector<Case> exponents = {unary("v_frexp_exp_i16_f16", kF16, frexp_exponent),
                                   unary("v_frexp_exp_i32_f32", kF32, frexp_exponent),
                                   unary("v_frexp_exp_i32_f64", kF64, frexp_exponent)};
    for (auto& c : exponents) {
        c.result = c.format.bits == 16 ? kInteger16 : kInteger32;
        c.integer_result = true;
    }
    check_all(exponents, {{}, {{"-", "", ""}, {}, ""}});
}

TEST_CASE("scaling by a power of two rounds once, into denormals and infinity") {
    check_all(
        {{.name = "v_ldexp_f16",
          .format = kF16,
          .sources = 2,
          .formula = scaled_by_power,
          .integer_sources = 2,
          .short_form = true},
         {.name = "v_ldexp_f32",
          .format = kF32,
          .sources = 2,
          .formula = scaled_by_power,
          .integer_sources = 2},
         {.name = "v_ldexp_f64",
          .format = kF64,
          .sources = 2,
          .formula = scaled_by_power,
          .integer_sources = 2}},
        {{}, {{"-", "", ""}, {}, ""}, {{"|", "", ""}, {"|", "", ""}, ""}, {{}, {}, " clamp"}});
}

TEST_CASE("the legacy product of zero and anything is zero") {
    check_all(
        {{.name = "v_mul_legacy_f32", .format = kF32, .sources = 2, .formula = legacy_product}},
        signs_and({"clamp", "mul:2", "mul:4", "div:2"}));
}

TEST_CASE("the last step of a division puts in what has no quotient") {
    check_all(
        {{.name = "v_div_fixup_f16",
          .format = kF16,
          .sources = 3,
          .formula = division_fixup,
          .keeps_half = true},
         {.name = "v_div_fixup_f32", .format = kF32, .sources = 3, .formula = division_fixup},
         {.name = "v_div_fixup_f64", .format = kF64, .sources = 3, .formula = division_fixup}},
        kSigns);
}

TEST_CASE("the division helpers of fp32 make a correctly rounded quotient of all edges") {
    std::vector<u64> codes = edges_of(kF32);
    for (const float more : {1e-38F, 3e-40F, 1e38F, 7e37F, -2.75F, 1e-20F, 1e20F})
        codes.push_back(bits(more));
    for (const u64 a : codes) {
        OneWave one;
        REQUIRE(codes.size() <= kLanes);
        for (u32 lane = 0; lane < kLanes; ++lane) {
            one.wave.v[1].lane[lane] = static_cast<u32>(a);
            one.wave.v[2].lane[lane] = static_cast<u32>(codes[lane % codes.size()]);
        }
        run(one, "v_div_scale_f32 v3, s[0:1], v2, v2, v1");
        run(one, "v_div_scale_f32 v4, vcc, v1, v2, v1");
        run(one, "v_rcp_f32_e32 v5, v3");
        run(one, "v_fma_f32 v6, -v3, v5, 1.0");
        run(one, "v_fmac_f32_e32 v5, v6, v5");
        run(one, "v_mul_f32_e32 v6, v4, v5");
        run(one, "v_fma_f32 v7, -v3, v6, v4");
        run(one, "v_fmac_f32_e32 v6, v7, v5");
        run(one, "v_fma_f32 v3, -v3, v6, v4");
        run(one, "v_div_fmas_f32 v3, v3, v5, v6");
        run(one, "v_div_fixup_f32 v0, v3, v2, v1");
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const u32 b = one.wave.v[2].lane[lane];
            const u32 want = bits(number(static_cast<u32>(a)) / number(b));
            INFO(std::hex << a << " / " << b << " gives " << one.wave.v[0].lane[lane] << ", not "
                          << want);
            CHECK(same_number(one.wave.v[0].lane[lane], want));
        }
    }
}

TEST_CASE("the division helpers of fp64 make a correctly rounded quotient") {
    // The sequence that compilers emit for a / b.
    std::vector<u64> codes = edges_of(kF64);
    for (const double more : {1e-308, 3e-310, 1e300, 7e307, -2.75, 1e-160, 1e160})
        codes.push_back(std::bit_cast<u64>(more));
    for (const u64 a : codes)
        for (const u64 b : codes) {
            OneWave one;
            for (u32 lane = 0; lane < kLanes; ++lane)
                for (u32 word = 0; word < 2; ++word) {
                    one.wave.v[2 + word].lane[lane] = static_cast<u32>(a >> 32 * word);
                    one.wave.v[4 + word].lane[lane] = static_cast<u32>(b >> 32 * word);
                }
            run(one, "v_div_scale_f64 v[6:7], s[0:1], v[4:5], v[4:5], v[2:3]");
            run(one, "v_rcp_f64_e32 v[10:11], v[6:7]");
            run(one, "v_fma_f64 v[12:13], -v[6:7], v[10:11], 1.0");
            run(one, "v_fma_f64 v[10:11], v[10:11], v[12:13], v[10:11]");
            run(one, "v_fma_f64 v[12:13], -v[6:7], v[10:11], 1.0");
            run(one, "v_fma_f64 v[10:11], v[10:11], v[12:13], v[10:11]");
            run(one, "v_div_scale_f64 v[12:13], vcc, v[2:3], v[4:5], v[2:3]");
            run(one, "v_mul_f64 v[14:15], v[12:13], v[10:11]");
            run(one, "v_fma_f64 v[6:7], -v[6:7], v[14:15], v[12:13]");
            run(one, "v_div_fmas_f64 v[6:7], v[6:7], v[10:11], v[14:15]");
            run(one, "v_div_fixup_f64 v[8:9], v[6:7], v[4:5], v[2:3]");
            const u64 want =
                std::bit_cast<u64>(std::bit_cast<double>(a) / std::bit_cast<double>(b));
            INFO(std::hex << a << " / " << b << " gives " << pair_of(one, 8, 0) << ", not "
                          << want);
            CHECK(same_code(kF64, pair_of(one, 8, 0), want));
        }
}

TEST_CASE(
    "fp64's estimates are good enough for the Newton steps that follow, and exact at the edges") {
    struct Estimate {
        const char* text;
        long double (*f)(long double);
    };
    const Estimate estimates[] = {
        {"v_rcp_f64_e32 v[8:9], v[2:3]", [](long double x) { return 1 / x; }},
        {"v_rsq_f64_e32 v[8:9], v[2:3]", [](long double x) { return 1 / std::sqrt(x); }},
        {"v_sqrt_f64_e32 v[8:9], v[2:3]", [](long double x) { return std::sqrt(x); }},
    };
    for (const auto& estimate : estimates) {
        const std::vector<u64> codes = edges_of(kF64);
        OneWave one;
        for (u32 lane = 0; lane < kLanes; ++lane)
            for (u32 word = 0; word < 2; ++word)
                one.wave.v[2 + word].lane[lane] =
                    static_cast<u32>(codes[lane % codes.size()] >> 32 * word);
        run(one, estimate.text);
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const long double want = estimate.f(value_in(kF64, codes[lane % codes.size()]));
            const u64 got = pair_of(one, 8, lane);
            INFO(estimate.text << std::hex << " of " << codes[lane % codes.size()] << ": " << got);
            if (std::isfinite(want) && want != 0 && std::fabs(want) < 0x1p1023L)
                CHECK(std::fabs(value_in(kF64, got) - want) <= 0x1p-23L * std::fabs(want));
            else
                CHECK(same_code(kF64, got, rounded_to(kF64, want)));
        }
    }
}

TEST_CASE("fp64's fused multiply-add takes the old result as its third source") {
    const std::vector<u64> codes = edges_of(kF64);
    for (u32 round = 0; round < 16; ++round) {
        OneWave one;
        std::array<std::array<double, kLanes>, 3> x{};
        for (u32 i = 0; i < 3; ++i)
            for (u32 lane = 0; lane < kLanes; ++lane) {
                const u64 code = codes[(lane * (2 * i + 1) + round * (i + 1)) % codes.size()];
                x[i][lane] = std::bit_cast<double>(code);
                one.wave.v[2 + 2 * i].lane[lane] = static_cast<u32>(code);
                one.wave.v[3 + 2 * i].lane[lane] = static_cast<u32>(code >> 32U);
            }
        one.wave.set_scalar64(kExec, kPartly);
        run(one, "v_fmac_f64_e32 v[6:7], v[2:3], v[4:5]");
        for (u32 lane = 0; lane < kLanes; ++lane) {
            const double want = (kPartly >> lane & 1U) != 0
                                    ? std::fma(x[0][lane], x[1][lane], x[2][lane])
                                    : x[2][lane];
            INFO("lane " << lane);
            CHECK(same_code(kF64, pair_of(one, 6, lane), std::bit_cast<u64>(want)));
        }
    }
}

TEST_CASE("half-precision estimates are within 1 ulp, and as the ISA lists them at the edges") {
    struct Estimate {
        const char* name;
        long double (*f)(long double);
        std::vector<std::pair<u32, u32>> listed;
    };
    const std::vector<Estimate> estimates = {
        {"v_rcp_f16",
         [](long double x) { return 1 / x; },
         {{0xfc00, 0x8000},
          {0xc000, 0xb800},
          {0x8000, 0xfc00},
          {0x0000, 0x7c00},
          {0x7c00, 0x0000}}},
        {"v_sqrt_f16",
         [](long double x) { return std::sqrt(x); },
         {{0xfc00, 0xfe00},
          {0x8000, 0x8000},
          {0x0000, 0x0000},
          {0x4400, 0x4000},
          {0x7c00, 0x7c00}}},
        {"v_rsq_f16",
         [](long double x) { return 1 / std::sqrt(x); },
         {{0xfc00, 0xfe00},
          {0x8000, 0xfc00},
          {0x0000, 0x7c00},
          {0x4400, 0x3800},
          {0x7c00, 0x0000}}},
        {"v_log_f16",
         [](long double x) { return std::log2(x); },
         {{0xfc00, 0xfe00},
          {0xbc00, 0xfe00},
          {0x8000, 0xfc00},
          {0x0000, 0xfc00},
          {0x3c00, 0x0000},
          {0x7c00, 0x7c00}}},
        {"v_exp_f16",
         [](long double x) { return std::exp2(x); },
         {{0xfc00, 0x0000}, {0x8000, 0x3c00}, {0x7c00, 0x7c00}}},
    };
    const auto result = [](const Estimate& estimate, u32 code) {
        OneWave one;
        for (u32 lane = 0; lane < kLanes; ++lane)
            one.wave.v[2].lane[lane] = code;
        run(one, std::string(estimate.name) + "_e32 v8, v2");
        return one.wave.v[8].lane[13];
    };
    for (const auto& estimate : estimates) {
        for (const auto& [code, want] : estimate.listed) {
            INFO(estimate.name << std::hex << " of " << code);
            CHECK(same_code(kF16, result(estimate, code), want));
        }
        for (u32 code = 1; code < 0x7c00; code += 37) {
            const long double want = estimate.f(value_in(kF16, code));
            const u32 got = result(estimate, code);
            const u64 near = rounded_to(kF16, want);
            INFO(estimate.name << std::hex << " of " << code << ": " << got << ", near " << near);
            CHECK((got == near || got + 1 == near || got == near + 1));
        }
    }
}

TEST_CASE("sine and cosine count in turns, know 256 of them, and are as the ISA lists them") {
    const auto result = [](const std::string& name, u32 code) {
        OneWave one;
        for (u32 lane = 0; lane < kLanes; ++lane)
            one.wave.v[2].lane[lane] = code;
        run(one, name + "_e32 v8, v2");
        return one.wave.v[8].lane[13];
    };
    const std::pair<u32, u32> sines[] = {{0xff800000, 0xffc00000},
                                         {0xff7fffff, 0x00000000},
                                         {0x80000000, 0x80000000},
                                         {0x3e800000, 0x3f800000},
                                         {0x7f800000, 0xffc00000},
                                         {bits(256.5F), 0x00000000}};
    const std::pair<u32, u32> cosines[] = {{0xff800000, 0xffc00000},
                                           {0xff7fffff, 0x3f800000},
                                           {0x80000000, 0x3f800000},
                                           {0x3e800000, 0x00000000},
                                           {0x7f800000, 0xffc00000},
                                           {bits(-1000.25F), 0x3f800000}};
    for (const auto& [code, want] : sines) {
        INFO(std::hex << code);
        CHECK(same_code(kF32, result("v_sin_f32", code), want));
    }
    for (const auto& [code, want] : cosines) {
        INFO(std::hex << code);
        CHECK(same_code(kF32, result("v_cos_f32", code), want));
    }
    for (i32 i = -1024; i <= 1024; ++i) {
        const float turns = static_cast<float>(i) * 0.2497F;
        const long double angle = static_cast<long double>(turns) * 2 * std::acos(-1.0L);
        INFO(turns);
        if (std::fabs(turns) <= 256.0F) {
            CHECK(std::fabs(static_cast<long double>(number(result("v_sin_f32", bits(turns)))) -
                            std::sin(angle)) < 0x1p-20L);
            CHECK(std::fabs(static_cast<long double>(number(result("v_cos_f32", bits(turns)))) -
                            std::cos(angle)) < 0x1p-20L);
        }
    }
}
