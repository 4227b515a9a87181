#pragma once

#include "isa/lanes.hpp"

// Where the matrices of an MFMA instruction are in its registers. D = A * B + C for each of
// `Blocks` blocks of size Size x Size; K elements are summed.

namespace kbuild::emulator {
namespace KBUILD_LANES {

template <u32 Size_, u32 K_, u32 Blocks_> struct Shape {
    static constexpr u32 kSize = Size_;
    static constexpr u32 kK = K_;
    static constexpr u32 kBlocks = Blocks_;
    static constexpr u32 kGroups = kLanes / kSize;          ///< groups of lanes
    static constexpr u32 kPerLane = kK * kBlocks / kGroups; ///< elements of K that a lane holds
    /// Registers of C and D, with one word per element.
    static constexpr u32 kWords = kSize * kSize * kBlocks / kLanes;
};

/// An unpacked operand: element [block][k][i] is A[i][k] or B[k][i] of the block.
template <class S, class T> struct Matrix {
    alignas(64) T at[S::kBlocks][S::kK][S::kSize];
};

/// Lane l holds row (A) or column (B) l % Size; its group l / Size says which part of K or which
/// block. So a register's word j of all lanes is a run of rows of `at`.
template <class S, class T> T* run_of(Matrix<S, T>& m, u32 group, u32 element) {
    if constexpr (S::kBlocks == 1)
        return m.at[0][group * S::kPerLane + element];
    else
        return m.at[group][element];
}

/// Row i of a block of C or D: Size neighbouring lanes of one register.
struct RowPlace {
    u32 word;
    u32 lane;
};
template <class S> constexpr RowPlace place_of_row(u32 block, u32 i) {
    if constexpr (S::kSize == 32)
        return {16 * block + 4 * (i / 8) + i % 4, 32 * (i / 4 % 2)};
    else if constexpr (S::kSize == 16)
        return {4 * block + i % 4, 16 * (i / 4)};
    else
        return {i, 4 * block};
}

} // namespace KBUILD_LANES
} // namespace kbuild::emulator
