#include "isa/fp8_format.hpp"
#include "isa/rows.hpp"
#include "isa/valu.hpp"

namespace kbuild::emulator {
namespace KBUILD_LANES {
namespace {

/// MODE.FP16_OVFL makes conversions saturate.
constexpr u32 kOverflowSaturates = 1U << 23U;

/// Two numbers into the half of the destination that op_sel names; the other half stays.
template <class F> void pack(Wave& w, const Instruction& in) {
    Values<float> buffer0;
    Values<float> buffer1;
    const float* const a = fetch<float>(w, in, in.operand[1], buffer0);
    const float* const b = fetch<float>(w, in, in.operand[2], buffer1);
    const bool saturate = (w.mode & kOverflowSaturates) != 0;
    Values<u16> result;
    for (u32 i = 0; i < kLanes; ++i)
        result.lane[i] = static_cast<u16>(float_to_fp8<F>(a[i], saturate) |
                                          float_to_fp8<F>(b[i], saturate) << 8U);
    store<u16>(w, in, in.operand[0], result, active(w, in));
}

/// Two bytes of the source (a half chosen by SDWA) into two registers.
template <class F> void unpack_pair(Wave& w, const Instruction& in) {
    Values<u32> buffer;
    const u32* const words = fetch<u32>(w, in, in.operand[1], buffer);
    Register low;
    Register high;
    for (u32 i = 0; i < kLanes; ++i) {
        low.lane[i] = std::bit_cast<u32>(fp8_to_float<F>(words[i] & 0xffU));
        high.lane[i] = std::bit_cast<u32>(fp8_to_float<F>(words[i] >> 8U & 0xffU));
    }
    const u64 lanes = active(w, in);
    write_words(w.v[in.operand[0].index], low.lane, lanes);
    write_words(w.v[in.operand[0].index + 1U], high.lane, lanes);
}

template <class F> constexpr Row pack_row(std::string_view name) {
    Row row;
    row.name = name;
    row.run = &pack<F>;
    row.flags = kHalfResult;
    row.operands[0] = {Role::update, Type::b16};
    row.operands[1] = {Role::read, Type::f32};
    row.operands[2] = {Role::read, Type::f32};
    return row;
}

template <class F> constexpr Row unpack_pair_row(std::string_view name) {
    Row row;
    row.name = name;
    row.run = &unpack_pair<F>;
    row.operands[0] = {Role::write, Type::b64};
    row.operands[1] = {Role::read, Type::b32};
    return row;
}

constexpr Row kRows[] = {
    pack_row<E4M3>("v_cvt_pk_fp8_f32"),
    pack_row<E5M2>("v_cvt_pk_bf8_f32"),
    lane_row("v_cvt_f32_fp8", [](u32 a) { return fp8_to_float<E4M3>(a & 0xffU); }),
    lane_row("v_cvt_f32_bf8", [](u32 a) { return fp8_to_float<E5M2>(a & 0xffU); }),
    unpack_pair_row<E4M3>("v_cvt_pk_f32_fp8"),
    unpack_pair_row<E5M2>("v_cvt_pk_f32_bf8"),
};

} // namespace

std::span<const Row> fp8_rows() {
    return kRows;
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
