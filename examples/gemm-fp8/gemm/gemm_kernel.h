#pragma once

#include <hip/hip_runtime.h>

#include "gemm_problem.h"
#include "operand_tile.h"

// One workgroup of four waves computes a 128 x 128 tile of C, each wave a 64 x 64 quarter of it as
// 2 x 2 fragments of v_mfma_f32_32x32x16_fp8_fp8. K is walked in steps of 128, which is also the
// block that shares a scale: within a step the sum is unscaled, after it one fma per element adds
// the scaled step to the total.
//
//   step i:     global -> registers (step i + 1)       in flight while the MFMAs run
//               LDS -> MFMA          (step i)
//   barrier;    registers -> LDS     (step i + 1)      barrier
//
// The registers are the second buffer, so that 32 KiB of LDS are enough and two workgroups share a
// compute unit: one of them multiplies while the other one waits at a barrier.
//
// B is the instruction's first operand and A its second one, so the fragment that comes out is
// C transposed: a lane owns one row m and runs of four consecutive n. The scale of A then is one
// scalar per lane, that of B one per wave, and four results are one 8-byte store.

namespace gemm_fp8 {

inline constexpr int kTileM = kTileRows;
inline constexpr int kTileN = kTileRows;

inline constexpr int kFragment = 32;         // rows of one MFMA operand
inline constexpr int kFragmentsPerWave = 2;  // in each direction
inline constexpr int kFragmentBytes = kFragment * kTileK;
inline constexpr int kWaveRows = kFragment * kFragmentsPerWave;
inline constexpr int kWavesPerRow = kTileN / kWaveRows;

static_assert(kTileN == kScaleBlock && kTileK == kScaleBlock);
static_assert(kThreads / kWaveSize == (kTileM / kWaveRows) * kWavesPerRow);

using Accumulator = float __attribute__((ext_vector_type(16)));
using WaveAccumulators = Accumulator[kFragmentsPerWave][kFragmentsPerWave];  // [n][m]

struct KernelStrides {
    unsigned row;
    unsigned k;
};

struct KernelArguments {
    unsigned m;
    unsigned n;
    unsigned steps;  // K / 128
    KernelStrides a_scale;
    KernelStrides b_scale;
    unsigned a_line;  // distance in bytes of two lines of contiguous memory, see OperandTile
    unsigned b_line;
};

// Where this lane works: row `lane_row` of a fragment, and half `lane_half` of the elements of K.
struct LanePosition {
    unsigned lane_row;
    unsigned lane_half;
    unsigned wave_m;  // first row of the wave's quarter within the tile
    unsigned wave_n;

    __device__ static LanePosition here() {
        const unsigned lane = threadIdx.x % kWaveSize;
        // All lanes agree on the wave, which the compiler can't see: this puts it into an SGPR.
        const unsigned wave = __builtin_amdgcn_readfirstlane(threadIdx.x / kWaveSize);
        return {lane % kFragment, lane / kFragment, wave / kWavesPerRow * kWaveRows,
                wave % kWavesPerRow * kWaveRows};
    }
};

// Bits of the bf16 nearest to `value`, ties to even, in the upper half of the word.
__device__ inline unsigned round_to_bf16(float value) {
    const unsigned bits = __builtin_bit_cast(unsigned, value);
    const unsigned rounded = bits + 0x7fff + ((bits >> 16) & 1);
    return value == value ? rounded : 0x7fc00000;  // rounding could carry a NaN over to -0 or inf
}

__device__ inline unsigned pack_bf16(float low, float high) {
    return __builtin_amdgcn_perm(round_to_bf16(high), round_to_bf16(low), 0x07060302);
}

__device__ inline Accumulator multiply_add(long b, long a, Accumulator sum) {
    return __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(b, a, sum, 0, 0, 0);
}

// A wave's part of a K step: reads both tiles from LDS, leaves the unscaled sums in `partial`.
// `between(chunk)` may interleave other work with the MFMAs of a chunk of 32 elements of K.
template <class Between>
__device__ inline void multiply_tiles(const unsigned char* a_tile, const unsigned char* b_tile,
                                      const LanePosition& at, WaveAccumulators& partial,
                                      Between between) {
    constexpr int chunks = kTileK / 32;
    // Of 32 elements of K, lanes 0-31 take the first 16 and lanes 32-63 the rest. Which element
    // meets which MFMA does not matter, as long as A and B agree.
    unsigned first_chunk = chunk_offset(at.lane_row, at.lane_half);
    // Eight addresses follow from it, which the compiler would keep in registers throughout the
    // kernel. Not knowing where the value comes from, it computes them when it needs them.
    asm volatile("" : "+v"(first_chunk));
    const unsigned char* const a_wave = a_tile + at.wave_m * kTileK;
    const unsigned char* const b_wave = b_tile + at.wave_n * kTileK;
    // Fragments are double-buffered: those of the next chunk are read while this one multiplies.
    Chunk a[2][kFragmentsPerWave];
    Chunk b[2][kFragmentsPerWave];
    auto read = [&](int chunk) {
#pragma unroll
        for (int i = 0; i < kFragmentsPerWave; ++i) {
            const unsigned offset =
                (first_chunk ^ chunk_flip(i * kFragment, 2 * chunk)) + i * kFragmentBytes;
            a[chunk % 2][i] = *reinterpret_cast<const Chunk*>(a_wave + offset);
            b[chunk % 2][i] = *reinterpret_cast<const Chunk*>(b_wave + offset);
        }
    };

#pragma unroll
    for (auto& row : partial) {
#pragma unroll
        for (auto& sum : row) {
            sum = Accumulator(0.0f);
        }
    }
    read(0);
#pragma unroll
    for (int chunk = 0; chunk < chunks; ++chunk) {
        if (chunk + 1 < chunks) {
            read(chunk + 1);
        }
        // Pins the reads in front of these MFMAs, which hide their latency.
        __builtin_amdgcn_sched_barrier(0);
        between(chunk);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
#pragma unroll
            for (int m = 0; m < kFragmentsPerWave; ++m) {
#pragma unroll
                for (int n = 0; n < kFragmentsPerWave; ++n) {
                    partial[n][m] =
                        multiply_add(b[chunk % 2][n][half], a[chunk % 2][m][half], partial[n][m]);
                }
            }
        }
        __builtin_amdgcn_sched_barrier(0);
    }
}

__device__ inline void store_tile(unsigned short* out, const WaveAccumulators& total,
                                  const LanePosition& at, unsigned first_m, unsigned first_n,
                                  unsigned m_size, unsigned n_size) {
    using Packed = unsigned __attribute__((ext_vector_type(2)));
    const unsigned wave_n = first_n + at.wave_n;
#pragma unroll
    for (int i = 0; i < kFragmentsPerWave; ++i) {
        const unsigned m = first_m + at.wave_m + i * kFragment + at.lane_row;
        if (m >= m_size) {
            continue;
        }
        unsigned short* const first =
            out + static_cast<unsigned long>(m) * n_size + wave_n + 4 * at.lane_half;
#pragma unroll
        for (int j = 0; j < kFragmentsPerWave; ++j) {
#pragma unroll
            for (int group = 0; group < 4; ++group) {
                // Register 4 * group + i is column 8 * group + 4 * lane_half + i. All lanes take
                // the same branch, as n_size is a multiple of 8.
                const unsigned column = j * kFragment + 8 * group;
                if (wave_n + column < n_size) {
                    const Accumulator& sum = total[j][i];
                    Packed packed;
                    packed.x = pack_bf16(sum[4 * group], sum[4 * group + 1]);
                    packed.y = pack_bf16(sum[4 * group + 2], sum[4 * group + 3]);
                    *reinterpret_cast<Packed*>(first + column) = packed;
                }
            }
        }
    }
}

// At most 256 VGPRs per lane (two waves per SIMD): with that bound the compiler keeps accumulators
// in VGPRs, where the scaling can reach them, and not in AGPRs.
template <Layout A, Layout B>
__global__ void __launch_bounds__(kThreads, 2)
    gemm_kernel(unsigned short* __restrict__ out, const unsigned char* __restrict__ a,
                const unsigned char* __restrict__ b, const float* __restrict__ a_scale,
                const float* __restrict__ b_scale, KernelArguments arguments) {
    __shared__ __attribute__((aligned(16))) unsigned char a_tile[kTileBytes];
    __shared__ __attribute__((aligned(16))) unsigned char b_tile[kTileBytes];

    const unsigned first_m = blockIdx.x * kTileM;
    const unsigned first_n = blockIdx.y * kTileN;
    const LanePosition at = LanePosition::here();

    OperandTile<A> a_next(a, first_m, arguments.m, arguments.a_line);
    OperandTile<B> b_next(b, first_n, arguments.n, arguments.b_line);

    // Rows past the edge repeat the last one: never out of bounds, no branch, and never stored.
    unsigned a_scale_offset[kFragmentsPerWave];  // in bytes, see OperandTile
#pragma unroll
    for (int i = 0; i < kFragmentsPerWave; ++i) {
        const unsigned m = first_m + at.wave_m + i * kFragment + at.lane_row;
        a_scale_offset[i] =
            (m < arguments.m ? m : arguments.m - 1) * arguments.a_scale.row * sizeof(float);
    }
    b_scale += blockIdx.y * arguments.b_scale.row;  // kTileN is the scale block

    float next_a_scale[kFragmentsPerWave];
    float next_b_scale;
    auto load = [&] {
        a_next.load();
        b_next.load();
#pragma unroll
        for (int i = 0; i < kFragmentsPerWave; ++i) {
            next_a_scale[i] = *reinterpret_cast<const float*>(
                reinterpret_cast<const unsigned char*>(a_scale) + a_scale_offset[i]);
            a_scale_offset[i] += arguments.a_scale.k * sizeof(float);
        }
        next_b_scale = *b_scale;
        b_scale += arguments.b_scale.k;
    };
    float scale[kFragmentsPerWave];
    auto publish = [&] {
        a_next.store(a_tile);
        b_next.store(b_tile);
#pragma unroll
        for (int i = 0; i < kFragmentsPerWave; ++i) {
            scale[i] = next_a_scale[i] * next_b_scale;
        }
        __syncthreads();
    };

    WaveAccumulators total = {};
    auto accumulate = [&](auto between) {
        WaveAccumulators partial;
        multiply_tiles(a_tile, b_tile, at, partial, between);
#pragma unroll
        for (int n = 0; n < kFragmentsPerWave; ++n) {
#pragma unroll
            for (int m = 0; m < kFragmentsPerWave; ++m) {
                total[n][m] += partial[n][m] * scale[m];
            }
        }
    };

    if (arguments.steps != 0) {
        load();
        a_next.arrange();
        b_next.arrange();
        publish();
        for (unsigned step = 1; step < arguments.steps; ++step) {
            load();
            // Without this the compiler sinks the loads to their first use, behind the MFMAs.
            __builtin_amdgcn_sched_barrier(0);
            accumulate([&](int chunk) {
                // Late in the step the loads have arrived, and the matrix unit covers this work.
                if (chunk == 2) {
                    a_next.arrange();
                } else if (chunk == 3) {
                    b_next.arrange();
                }
            });
            __syncthreads();
            publish();
        }
        accumulate([](int) {});
    }
    store_tile(out, total, at, first_m, first_n, arguments.m, arguments.n);
}

}  // namespace gemm_fp8
