#include "isa/mfma_sum.hpp"
#include "isa/mfma_tile.hpp"
#include "isa/rows.hpp"
#include "machine/group.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

constexpr std::string_view kMmaSim = "MMA-Sim 2.1.1 (CDNA 3), bit for bit";
constexpr std::string_view kFma = "MMA-Sim 2.1.1 (CDNA 3): fused multiply-adds in the order of K";

bool supported(Wave& w, const Instruction& in) {
    if (in.cbsz == 0 && in.abid == 0 && in.blgp == 0)
        return true;
    w.failure = "has cbsz, abid or blgp, which are not modelled";
    return false;
}

/// Row i of C into `row`, from registers or a constant.
template <class S, class T>
void read_row(const Wave& w, const Operand& c, u32 block, u32 i, T* row) {
    if (c.place != Place::vector) {
        const T value = std::bit_cast<T>(scalar32(w, c));
        for (u32 n = 0; n < S::kSize; ++n)
            row[n] = value;
        return;
    }
    const RowPlace at = place_of_row<S>(block, i);
    std::memcpy(row, w.v[c.index + at.word].lane + at.lane, S::kSize * sizeof(T));
}

template <class S, class T>
void write_row(Wave& w, const Operand& d, u32 block, u32 i, const T* row) {
    const RowPlace at = place_of_row<S>(block, i);
    std::memcpy(w.v[d.index + at.word].lane + at.lane, row, S::kSize * sizeof(T));
}

/// The canonical NaN of the matrix unit, and the infinities; found by plain arithmetic, which
/// agrees where one of the values is not finite.
template <class S>
void add_special(const Matrix<S, float>& a,
                 const Matrix<S, float>& b,
                 u32 block,
                 u32 i,
                 float* row,
                 const bool* wanted) {
    for (u32 n = 0; n < S::kSize; ++n) {
        if (!wanted[n])
            continue;
        double sum = static_cast<double>(row[n]);
        for (u32 k = 0; k < S::kK; ++k) {
            const double product =
                static_cast<double>(a.at[block][k][i]) * static_cast<double>(b.at[block][k][n]);
            sum += std::abs(product) >= 0x1p128 ? std::copysign(HUGE_VAL, product) : product;
        }
        row[n] = std::isnan(sum) ? std::bit_cast<float>(0x7fffffffU) : static_cast<float>(sum);
    }
}

template <class S> struct Specials {
    bool a[S::kBlocks][S::kSize];
    bool b[S::kBlocks][S::kSize];
    bool any = false;
};

/// Which rows of A and columns of B hold something that is not finite, or (bf16) can overflow.
template <class S>
void mark(const Matrix<S, float>& m, bool (*to)[S::kSize], bool& any, float limit) {
    for (u32 block = 0; block < S::kBlocks; ++block)
        for (u32 i = 0; i < S::kSize; ++i)
            to[block][i] = false;
    for (u32 block = 0; block < S::kBlocks; ++block)
        for (u32 k = 0; k < S::kK; ++k) {
            u32 found = 0;
            for (u32 i = 0; i < S::kSize; ++i)
                found |= !(std::abs(m.at[block][k][i]) < limit) ? 1U : 0U;
            if (found == 0)
                continue;
            any = true;
            for (u32 i = 0; i < S::kSize; ++i)
                to[block][i] = to[block][i] || !(std::abs(m.at[block][k][i]) < limit);
        }
}

template <class F> constexpr float largest_plain() {
    return F::kLowest == -126 ? 0x1p63F : HUGE_VALF; // below it no product overflows
}

template <class S, class F> void exponents(const Matrix<S, float>& m, Matrix<S, i32>& to) {
    const float* const from = &m.at[0][0][0];
    i32* const out = &to.at[0][0][0];
    for (u32 i = 0; i < S::kBlocks * S::kK * S::kSize; ++i)
        out[i] = element_exponent<F>(from[i]);
}

template <class S>
void exact_specials(const Matrix<S, float>& a,
                    const Matrix<S, float>& b,
                    const Specials<S>& special,
                    u32 block,
                    u32 i,
                    const float* c,
                    float* row) {
    bool wanted[S::kSize];
    bool any = false;
    for (u32 n = 0; n < S::kSize; ++n) {
        bool infinite = !std::isfinite(c[n]);
        if (special.a[block][i] || special.b[block][n])
            for (u32 k = 0; k < S::kK; ++k) {
                const double product =
                    static_cast<double>(a.at[block][k][i]) * static_cast<double>(b.at[block][k][n]);
                infinite = infinite || !(std::abs(product) < 0x1p128);
            }
        wanted[n] = infinite;
        any = any || infinite;
    }
    if (!any)
        return;
    alignas(64) float fixed[S::kSize];
    std::memcpy(fixed, c, sizeof fixed);
    add_special<S>(a, b, block, i, fixed, wanted);
    for (u32 n = 0; n < S::kSize; ++n)
        row[n] = wanted[n] ? fixed[n] : row[n];
}

template <class S> bool all_finite(const float* row) {
    u32 bad = 0;
    for (u32 n = 0; n < S::kSize; ++n)
        bad |= (std::bit_cast<u32>(row[n]) & 0x7f800000U) == 0x7f800000U ? 1U : 0U;
    return bad == 0;
}

/// The unit takes `Step` elements of K at a time.
template <class S, class FA, class FB, u32 Step>
void run_exact(Wave& w,
               const Instruction& in,
               const Matrix<S, float>& a,
               const Matrix<S, float>& b) {
    Matrix<S, i32> a_exponent;
    Matrix<S, i32> b_exponent;
    exponents<S, FA>(a, a_exponent);
    exponents<S, FB>(b, b_exponent);
    Specials<S> special;
    mark<S>(a, special.a, special.any, largest_plain<FA>());
    mark<S>(b, special.b, special.any, largest_plain<FB>());
    constexpr u32 size = S::kSize;
    for (u32 block = 0; block < S::kBlocks; ++block)
        for (u32 i = 0; i < size; ++i) {
            alignas(64) float c[size];
            alignas(64) float row[size];
            read_row<S>(w, in.operand[3], block, i, c);
            std::memcpy(row, c, sizeof row);
            for (u32 k = 0; k < S::kK; k += Step)
                add_step<FA, size>({&a.at[block][k][i],
                                    &a_exponent.at[block][k][i],
                                    size,
                                    &b.at[block][k],
                                    &b_exponent.at[block][k]},
                                   Step,
                                   row);
            if (special.any || !all_finite<S>(c))
                exact_specials<S>(a, b, special, block, i, c, row);
            write_row<S>(w, in.operand[0], block, i, row);
        }
}

template <class S>
void run_in_order(Wave& w,
                  const Instruction& in,
                  const Matrix<S, float>& a,
                  const Matrix<S, float>& b) {
    const Operand& c = in.operand[3];
    const Operand& d = in.operand[0];
    alignas(64) float constant[S::kSize];
    if (c.place != Place::vector)
        read_row<S>(w, c, 0, 0, constant);
    const auto at = [&](const Operand& o, u32 block, u32 i) {
        const RowPlace place = place_of_row<S>(block, i);
        return reinterpret_cast<float*>(w.v[o.index + place.word].lane + place.lane);
    };
    for (u32 block = 0; block < S::kBlocks; ++block) {
        BlockRows<S> rows;
        for (u32 i = 0; i < S::kSize; ++i) {
            rows.c[i] = c.place == Place::vector ? at(c, block, i) : constant;
            rows.d[i] = at(d, block, i);
        }
        add_block<S>(a, b, block, rows);
    }
}

/// Step 0: the hardware itself adds in order (fp32).
template <class S, class FA, class FB, u32 Step> void multiply(Wave& w, const Instruction& in) {
    if (!supported(w, in))
        return;
    Matrix<S, float> a;
    Matrix<S, float> b;
    unpack<S, FA>(w.v + in.operand[1].index, a);
    unpack<S, FB>(w.v + in.operand[2].index, b);
    if constexpr (Step == 0) {
        run_in_order<S>(w, in, a, b);
    } else {
        if (w.group->fast_mfma)
            run_in_order<S>(w, in, a, b);
        else
            run_exact<S, FA, FB, Step>(w, in, a, b);
    }
}

/// 8-bit integers; sums wrap, or saturate with `clamp`.
template <class S> void multiply_bytes(Wave& w, const Instruction& in) {
    if (!supported(w, in))
        return;
    Matrix<S, i32> m[2];
    for (u32 operand = 0; operand < 2; ++operand)
        for (u32 j = 0; j < S::kPerLane; ++j) {
            const Register& words = w.v[in.operand[1 + operand].index + j / 4];
            for (u32 lane = 0; lane < kLanes; ++lane)
                run_of(m[operand], lane / S::kSize, j)[lane % S::kSize] =
                    static_cast<i32>(words.lane[lane] << (24 - 8 * (j % 4))) >> 24; // with its sign
        }
    for (u32 block = 0; block < S::kBlocks; ++block)
        for (u32 i = 0; i < S::kSize; ++i) {
            u32 row[S::kSize];
            read_row<S>(w, in.operand[3], block, i, row);
            for (u32 k = 0; k < S::kK; ++k)
                for (u32 n = 0; n < S::kSize; ++n)
                    row[n] += static_cast<u32>(m[0].at[block][k][i] * m[1].at[block][k][n]);
            write_row<S>(w, in.operand[0], block, i, row);
        }
}

/// 64-bit: element [i][n] of D is in pair i / 4 (16 x 16), lane 16 * (i % 4) + n; for 4 x 4 in the
/// only pair, lane 16 * i + 4 * block + n.
double pair_at(const Wave& w, u32 index, u32 lane) {
    return std::bit_cast<double>(w.v[index].lane[lane] | u64{w.v[index + 1].lane[lane]} << 32U);
}

void put_pair(Wave& w, u32 index, u32 lane, double value) {
    const u64 bits = std::bit_cast<u64>(value);
    w.v[index].lane[lane] = static_cast<u32>(bits);
    w.v[index + 1].lane[lane] = static_cast<u32>(bits >> 32U);
}

void multiply_doubles(Wave& w, const Instruction& in) {
    if (!supported(w, in))
        return;
    double a[4][16];
    double b[4][16];
    for (u32 lane = 0; lane < kLanes; ++lane) {
        a[lane / 16][lane % 16] = pair_at(w, in.operand[1].index, lane);
        b[lane / 16][lane % 16] = pair_at(w, in.operand[2].index, lane);
    }
    const Operand& c = in.operand[3];
    for (u32 i = 0; i < 16; ++i)
        for (u32 n = 0; n < 16; ++n) {
            const u32 lane = 16 * (i % 4) + n;
            double sum = c.place == Place::vector ? pair_at(w, c.index + 2 * (i / 4), lane)
                                                  : std::bit_cast<double>(c.value);
            for (u32 k = 0; k < 4; ++k)
                sum = std::fma(a[k][i], b[k][n], sum);
            put_pair(w, in.operand[0].index + 2 * (i / 4), lane, fixed_nan(sum));
        }
}

constexpr Type words_type(u32 words) {
    switch (words) {
    case 1:
        return Type::b32;
    case 2:
        return Type::b64;
    case 4:
        return Type::b128;
    case 8:
        return Type::b256;
    case 16:
        return Type::b512;
    default:
        return Type::b1024;
    }
}

constexpr Row base_row(
    std::string_view name, Handler run, u8 passes, u32 operand_words, u32 result_words, u16 flags) {
    Row row;
    row.name = name;
    row.run = run;
    row.unit = Unit::mfma;
    row.passes = passes;
    row.flags = static_cast<u16>(flags | kAnyExec);
    row.operands[0] = {Role::write, words_type(result_words)};
    row.operands[1] = {Role::read, words_type(operand_words)};
    row.operands[2] = {Role::read, words_type(operand_words)};
    row.operands[3] = {Role::read, words_type(result_words)};
    return row;
}

template <class S, class FA, class FB, u32 Step>
constexpr Row matrix_row(std::string_view name, u8 passes) {
    Row row = base_row(name,
                       &multiply<S, FA, FB, Step>,
                       passes,
                       S::kPerLane * FA::kBits / 32,
                       S::kWords,
                       Step == 0 ? kNoFlag : kXdl);
    row.oracle = Step == 0 ? kFma : kMmaSim;
    row.matrix_size = S::kSize;
    row.matrix_blocks = S::kBlocks;
    return row;
}

template <class S> constexpr Row bytes_row(std::string_view name, u8 passes) {
    Row row = base_row(name, &multiply_bytes<S>, passes, S::kPerLane / 4, S::kWords, kXdl);
    row.matrix_size = S::kSize;
    row.matrix_blocks = S::kBlocks;
    return row;
}

constexpr Row kRows[] = {
    matrix_row<Shape<32, 16, 1>, Fp8, Fp8, 16>("v_mfma_f32_32x32x16_fp8_fp8", 8),
    matrix_row<Shape<32, 16, 1>, Fp8, Bf8, 16>("v_mfma_f32_32x32x16_fp8_bf8", 8),
    matrix_row<Shape<32, 16, 1>, Bf8, Fp8, 16>("v_mfma_f32_32x32x16_bf8_fp8", 8),
    matrix_row<Shape<32, 16, 1>, Bf8, Bf8, 16>("v_mfma_f32_32x32x16_bf8_bf8", 8),
    matrix_row<Shape<16, 32, 1>, Fp8, Fp8, 16>("v_mfma_f32_16x16x32_fp8_fp8", 4),
    matrix_row<Shape<16, 32, 1>, Fp8, Bf8, 16>("v_mfma_f32_16x16x32_fp8_bf8", 4),
    matrix_row<Shape<16, 32, 1>, Bf8, Fp8, 16>("v_mfma_f32_16x16x32_bf8_fp8", 4),
    matrix_row<Shape<16, 32, 1>, Bf8, Bf8, 16>("v_mfma_f32_16x16x32_bf8_bf8", 4),
    matrix_row<Shape<32, 8, 1>, Half, Half, 8>("v_mfma_f32_32x32x8_f16", 8),
    matrix_row<Shape<16, 16, 1>, Half, Half, 8>("v_mfma_f32_16x16x16_f16", 4),
    matrix_row<Shape<32, 4, 2>, Half, Half, 4>("v_mfma_f32_32x32x4_2b_f16", 16),
    matrix_row<Shape<16, 4, 4>, Half, Half, 4>("v_mfma_f32_16x16x4_4b_f16", 8),
    matrix_row<Shape<4, 4, 16>, Half, Half, 4>("v_mfma_f32_4x4x4_16b_f16", 2),
    matrix_row<Shape<32, 8, 1>, Bfloat, Bfloat, 8>("v_mfma_f32_32x32x8_bf16", 8),
    matrix_row<Shape<16, 16, 1>, Bfloat, Bfloat, 8>("v_mfma_f32_16x16x16_bf16", 4),
    matrix_row<Shape<32, 4, 2>, Bfloat, Bfloat, 4>("v_mfma_f32_32x32x4_2b_bf16", 16),
    matrix_row<Shape<16, 4, 4>, Bfloat, Bfloat, 4>("v_mfma_f32_16x16x4_4b_bf16", 8),
    matrix_row<Shape<4, 4, 16>, Bfloat, Bfloat, 4>("v_mfma_f32_4x4x4_16b_bf16", 2),
    matrix_row<Shape<32, 4, 1>, Xf32, Xf32, 4>("v_mfma_f32_32x32x4_xf32", 8),
    matrix_row<Shape<16, 8, 1>, Xf32, Xf32, 4>("v_mfma_f32_16x16x8_xf32", 4),
    matrix_row<Shape<32, 2, 1>, Float, Float, 0>("v_mfma_f32_32x32x2_f32", 16),
    matrix_row<Shape<16, 4, 1>, Float, Float, 0>("v_mfma_f32_16x16x4_f32", 8),
    matrix_row<Shape<32, 1, 2>, Float, Float, 0>("v_mfma_f32_32x32x1_2b_f32", 16),
    matrix_row<Shape<16, 1, 4>, Float, Float, 0>("v_mfma_f32_16x16x1_4b_f32", 8),
    matrix_row<Shape<4, 1, 16>, Float, Float, 0>("v_mfma_f32_4x4x1_16b_f32", 2),
    bytes_row<Shape<32, 16, 1>>("v_mfma_i32_32x32x16_i8", 8),
    bytes_row<Shape<16, 32, 1>>("v_mfma_i32_16x16x32_i8", 4),
    bytes_row<Shape<32, 4, 2>>("v_mfma_i32_32x32x4_2b_i8", 16),
    bytes_row<Shape<16, 4, 4>>("v_mfma_i32_16x16x4_4b_i8", 8),
    bytes_row<Shape<4, 4, 16>>("v_mfma_i32_4x4x4_16b_i8", 2),
    base_row("v_mfma_f64_16x16x4_f64", &multiply_doubles, 16, 2, 8, kDouble),
};

} // namespace

std::span<const Row> mfma_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
