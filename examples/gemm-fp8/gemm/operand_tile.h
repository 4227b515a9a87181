#pragma once

#include <hip/hip_runtime.h>

// A tile of one operand: 128 rows (of M or N) by 128 elements of K, one byte each, and its way from
// global memory through registers to LDS.
//
// LDS layout: a row is 128 bytes, eight chunks of 16. Chunk c of row r is kept at chunk position
// c ^ ((r ^ r / 8) % 8). Lanes that access the same chunk of different rows would otherwise meet in
// the same banks; this way all accesses below are free of bank conflicts, without padding.

namespace gemm_fp8 {

inline constexpr int kWaveSize = 64;  // gfx942
inline constexpr int kThreads = 256;
inline constexpr int kTileRows = 128;
inline constexpr int kTileK = 128;
inline constexpr int kChunkBytes = 16;
inline constexpr int kChunksPerRow = kTileK / kChunkBytes;
inline constexpr int kTileBytes = kTileRows * kTileK;

enum class Layout {
    kKContiguous,    // memory is [rows][K]
    kRowContiguous,  // memory is [K][rows]
};

// 16 bytes along K; element i is what one MFMA takes from a lane.
using Chunk = long __attribute__((ext_vector_type(2)));

__device__ inline unsigned chunk_offset(unsigned row, unsigned chunk) {
    return row * kTileK + (chunk ^ ((row ^ (row / 8)) % kChunksPerRow)) * kChunkBytes;
}

// The layout is linear over bits. Where r and rows, c and chunks have no bit in common,
//   chunk_offset(r + rows, c + chunks) = chunk_offset(r, c) ^ chunk_flip(rows, chunks)
//                                        + rows * kTileK.
// Written that way, addresses that differ by a constant share a register.
__device__ constexpr unsigned chunk_flip(unsigned rows, unsigned chunks) {
    return (chunks ^ ((rows ^ (rows / 8)) % kChunksPerRow)) * kChunkBytes;
}

// In registers between `load` and `store`; `arrange` in between does what the layout needs. `line`
// is the distance in bytes between two lines of contiguous memory. Offsets have 32 bits, so that an
// address is a pointer in SGPRs plus one VGPR, which is what the load instruction takes.
template <Layout L>
class OperandTile;

// A thread moves four chunks, eight neighbours together a whole row of the tile.
template <>
class OperandTile<Layout::kKContiguous> {
public:
    __device__ OperandTile(const unsigned char* memory, unsigned first_row, unsigned rows,
                           unsigned line)
        : memory_(memory) {
#pragma unroll
        for (int i = 0; i < kChunks; ++i) {
            const unsigned row = first_row + row_in_tile() + i * kRowsAtOnce;
            offset_[i] = (row < rows ? row : rows - 1) * line + column() * kChunkBytes;
        }
    }

    // Loads the tile at the current position and moves on to the next one.
    __device__ void load() {
#pragma unroll
        for (int i = 0; i < kChunks; ++i) {
            chunk_[i] = *reinterpret_cast<const Chunk*>(memory_ + offset_[i]);
            offset_[i] += kTileK;
        }
    }

    __device__ void arrange() {}

    __device__ void store(unsigned char* tile) const {
        const unsigned first = chunk_offset(row_in_tile(), column());
#pragma unroll
        for (int i = 0; i < kChunks; ++i) {
            const unsigned row = i * kRowsAtOnce;
            const unsigned offset = (first ^ chunk_flip(row, 0)) + row * kTileK;
            *reinterpret_cast<Chunk*>(tile + offset) = chunk_[i];
        }
    }

private:
    static constexpr int kRowsAtOnce = kThreads / kChunksPerRow;
    static constexpr int kChunks = kTileRows / kRowsAtOnce;

    __device__ static unsigned column() { return threadIdx.x % kChunksPerRow; }
    __device__ static unsigned row_in_tile() { return threadIdx.x / kChunksPerRow; }

    const unsigned char* memory_;
    unsigned offset_[kChunks];
    Chunk chunk_[kChunks];
};

// A thread moves a block of 8 elements of K by 8 rows and transposes it in registers.
template <>
class OperandTile<Layout::kRowContiguous> {
public:
    __device__ OperandTile(const unsigned char* memory, unsigned first_row, unsigned rows,
                           unsigned line)
        : memory_(memory), line_(line) {
        const unsigned row = first_row + row_in_tile();
        // `rows` is a multiple of 8: a block lies within the matrix or outside, never across.
        offset_ = k_in_tile() * line + (row < rows ? row : rows - kBlock);
    }

    __device__ void load() {
#pragma unroll
        for (int k = 0; k < kBlock; ++k) {
            vector_[k] = *reinterpret_cast<const Vector*>(memory_ + (offset_ + k * line_));
        }
        offset_ += kTileK * line_;
    }

    // From 8 vectors along the rows, one per element of K, to 8 vectors along K, one per row.
    __device__ void arrange() {
        Vector transposed[kBlock];
#pragma unroll
        for (int quarter = 0; quarter < 4; ++quarter) {
            const int rows = quarter / 2;  // lower or upper four
            const int ks = quarter % 2;
            unsigned word[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                word[k] = vector_[4 * ks + k][rows];
            }
            transpose_4x4(word);
#pragma unroll
            for (int row = 0; row < 4; ++row) {
                transposed[4 * rows + row][ks] = word[row];
            }
        }
#pragma unroll
        for (int i = 0; i < kBlock; ++i) {
            vector_[i] = transposed[i];
        }
    }

    __device__ void store(unsigned char* tile) const {
        const unsigned k = k_in_tile();
        const unsigned first = chunk_offset(row_in_tile(), k / kChunkBytes) + k % kChunkBytes;
#pragma unroll
        for (int i = 0; i < kBlock; ++i) {
            const unsigned offset = (first ^ chunk_flip(i, 0)) + i * kTileK;
            *reinterpret_cast<Vector*>(tile + offset) = vector_[i];
        }
    }

private:
    static constexpr int kBlock = 8;
    static_assert(kTileBytes == kThreads * kBlock * kBlock);

    using Vector = unsigned __attribute__((ext_vector_type(2)));

    // Bits 0-2 and 6 of the thread select the rows, bits 3-5 and 7 the elements of K: a wave reads
    // pieces of 64 contiguous bytes, and 16 neighbours write to all 32 banks of LDS.
    __device__ static unsigned row_in_tile() {
        const unsigned t = threadIdx.x;
        return ((t & 7) | (t >> 6 & 1) << 3) * kBlock;
    }
    __device__ static unsigned k_in_tile() {
        const unsigned t = threadIdx.x;
        return ((t >> 3 & 7) | (t >> 7 & 1) << 3) * kBlock;
    }

    // Transposes a 4 x 4 matrix of bytes, one row per word.
    __device__ static void transpose_4x4(unsigned (&word)[4]) {
        const unsigned a = interleave_low(word[0], word[1]);
        const unsigned b = interleave_high(word[0], word[1]);
        const unsigned c = interleave_low(word[2], word[3]);
        const unsigned d = interleave_high(word[2], word[3]);
        word[0] = __builtin_amdgcn_perm(c, a, 0x05040100);  // lower halves of a, c
        word[1] = __builtin_amdgcn_perm(c, a, 0x07060302);  // upper halves
        word[2] = __builtin_amdgcn_perm(d, b, 0x05040100);
        word[3] = __builtin_amdgcn_perm(d, b, 0x07060302);
    }
    // Bytes x0 y0 x1 y1, from the lowest. v_perm_b32 numbers the second operand's bytes 0-3.
    __device__ static unsigned interleave_low(unsigned x, unsigned y) {
        return __builtin_amdgcn_perm(y, x, 0x05010400);
    }
    __device__ static unsigned interleave_high(unsigned x, unsigned y) {
        return __builtin_amdgcn_perm(y, x, 0x07030602);
    }

    const unsigned char* memory_;
    unsigned line_;
    unsigned offset_;
    Vector vector_[kBlock];
};

}  // namespace gemm_fp8
