#pragma once

#include <cstdint>

// The problem both backends solve. Plain C++, so that the torch binding needs no HIP header and the
// HIP code needs no torch header.

namespace gemm_fp8 {

// K is scaled in blocks of this many elements, and so is N.
inline constexpr std::int64_t kScaleBlock = 128;

struct Strides {
    std::int64_t row;  // in elements
    std::int64_t k;
};

// out[m, n] = bf16(sum over k of a[m, k] * a_scale[m, k / 128]
//                                * b[n, k] * b_scale[n / 128, k / 128])
struct GemmProblem {
    std::int64_t m;
    std::int64_t n;  // a multiple of 8
    std::int64_t k;  // a multiple of 128

    void* out;             // bf16 [m, n], row-major without gaps, 8-byte aligned
    const void* a;         // e4m3fnuz [m, k]
    const void* b;         // e4m3fnuz [n, k]
    const float* a_scale;  // [m, k / 128]
    const float* b_scale;  // [ceil(n / 128), k / 128]

    // Operands have one stride of 1; see `fits_k_contiguous` and `fits_row_contiguous`. The scales
    // may have any strides.
    Strides a_stride;
    Strides b_stride;
    Strides a_scale_stride;
    Strides b_scale_stride;
};

// Memory is read in vectors: 16 bytes along K where K is contiguous, 8 bytes along the rows (M or
// N) where those are. A vector never straddles the end of a line, and is never misaligned.
inline constexpr std::int64_t kAlignmentAlongK = 16;
inline constexpr std::int64_t kAlignmentAlongRows = 8;

inline bool is_aligned(const void* data, std::int64_t bytes) {
    return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(bytes) == 0;
}

// A row of K elements is one piece of memory: torch's default layout.
inline bool fits_k_contiguous(const void* data, Strides stride) {
    return stride.k == 1 && stride.row % kAlignmentAlongK == 0 &&
           is_aligned(data, kAlignmentAlongK);
}

// The elements of all rows for one k are one piece of memory: the transpose of a contiguous [K, M].
inline bool fits_row_contiguous(const void* data, Strides stride, std::int64_t rows) {
    return stride.row == 1 && rows % kAlignmentAlongRows == 0 &&
           stride.k % kAlignmentAlongRows == 0 && is_aligned(data, kAlignmentAlongRows);
}

}  // namespace gemm_fp8
