// The two kernels whose emulation is measured: a memory-bound one, and a matrix product with LDS and MFMA.
//
//   kernels add COUNT | gemm M N K
//
// Prints a checksum of the result, so that two ways of running it can be compared. All sums are exact in fp32, whatever
// their order.

#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef float Tile __attribute__((vector_size(64)));

constexpr int kTile = 64;  // rows and columns of C per work-group, and bytes of K at a time
constexpr int kPitch = kTile + 8;

__global__ void __launch_bounds__(256) add(const float* a, const float* b, float* out, int count) {
    const int i = static_cast<int>(blockIdx.x * 256 + threadIdx.x);
    if (i < count)
        out[i] = a[i] + b[i];
}

/// C[M][N] (bf16) = A[M][K] * B[N][K]^T of e4m3fnuz, with a scale per row and per column; each of four waves makes 32 x 32
/// elements, and the largest one of each of their rows.
__global__ void __launch_bounds__(256) gemm(const uint8_t* a, const uint8_t* b, const float* row_scale, const float* column_scale,
                                            __hip_bfloat16* c, float* largest, int n, int k) {
    __shared__ uint8_t a_tile[kTile][kPitch];
    __shared__ uint8_t b_tile[kTile][kPitch];
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread & 63;
    const int wave_row = thread >> 7 << 5;
    const int wave_column = (thread >> 6 & 1) << 5;
    const int row = thread >> 2;
    const int byte = (thread & 3) << 4;
    const uint8_t* const a_from = a + static_cast<long>(blockIdx.y * kTile + row) * k + byte;
    const uint8_t* const b_from = b + static_cast<long>(blockIdx.x * kTile + row) * k + byte;
    Tile sum = {};
    for (int done = 0; done < k; done += kTile) {
        for (int part = 0; part < 16; part += 8) {
            *reinterpret_cast<long*>(&a_tile[row][byte + part]) = *reinterpret_cast<const long*>(a_from + done + part);
            *reinterpret_cast<long*>(&b_tile[row][byte + part]) = *reinterpret_cast<const long*>(b_from + done + part);
        }
        __syncthreads();
        for (int step = 0; step < kTile; step += 16) {
            const int at = step + 8 * (lane >> 5);
            const long left = *reinterpret_cast<const long*>(&a_tile[wave_row + (lane & 31)][at]);
            const long right = *reinterpret_cast<const long*>(&b_tile[wave_column + (lane & 31)][at]);
            sum = __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(left, right, sum, 0, 0, 0);
        }
        __syncthreads();
    }
    const int column = static_cast<int>(blockIdx.x) * kTile + wave_column + (lane & 31);
    const int first = static_cast<int>(blockIdx.y) * kTile + wave_row + 4 * (lane >> 5);
    for (int i = 0; i < 16; ++i) {
        const int c_row = first + 8 * (i >> 2) + (i & 3);
        const float value = sum[i] * row_scale[c_row] * column_scale[column];
        c[static_cast<long>(c_row) * n + column] = __float2bfloat16(value);
        float size = fabsf(value);
        for (int distance = 16; distance > 0; distance >>= 1)
            size = fmaxf(size, __shfl_xor(size, distance, 64));
        if ((lane & 31) == 0)
            largest[static_cast<long>(c_row) * (n / 32) + column / 32] = size;
    }
}

static void* on_device(const void* from, std::size_t bytes) {
    void* to = nullptr;
    if (hipMalloc(&to, bytes) != hipSuccess ||
        (from != nullptr && hipMemcpy(to, from, bytes, hipMemcpyHostToDevice) != hipSuccess))
        std::exit(1);
    return to;
}

static void print_checksum(const void* device, std::size_t count) {
    std::vector<std::uint32_t> host(count);
    if (hipMemcpy(host.data(), device, 4 * count, hipMemcpyDeviceToHost) != hipSuccess)
        std::exit(1);
    std::uint64_t sum = 1469598103934665603ULL;
    for (const std::uint32_t word : host)
        sum = (sum ^ word) * 1099511628211ULL;
    std::printf("%016llx\n", static_cast<unsigned long long>(sum));
}

static std::vector<std::uint8_t> codes(std::size_t count, std::uint32_t state) {
    static const std::uint8_t kCodes[] = {0x00, 0x40, 0x48, 0x50, 0xc0, 0xc8, 0x44, 0xc4};
    std::vector<std::uint8_t> all(count);
    for (auto& code : all)
        code = kCodes[(state = state * 1664525U + 1013904223U) >> 29];
    return all;
}

static int run_add(int count) {
    std::vector<float> a(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        a[static_cast<std::size_t>(i)] = static_cast<float>(i % 1000);
    auto* const left = static_cast<float*>(on_device(a.data(), 4 * a.size()));
    auto* const out = static_cast<float*>(on_device(nullptr, 4 * a.size()));
    add<<<(count + 255) / 256, 256>>>(left, left, out, count);
    if (hipDeviceSynchronize() != hipSuccess)
        return 1;
    print_checksum(out, a.size());
    return 0;
}

static int run_gemm(int m, int n, int k) {
    const auto a = codes(static_cast<std::size_t>(m) * k, 1);
    const auto b = codes(static_cast<std::size_t>(n) * k, 2);
    const std::size_t elements = static_cast<std::size_t>(m) * n;
    const std::vector<float> scales(static_cast<std::size_t>(m > n ? m : n), 0.5f);
    auto* const scale = static_cast<float*>(on_device(scales.data(), 4 * scales.size()));
    void* const c = on_device(nullptr, 2 * elements);
    auto* const largest = static_cast<float*>(on_device(nullptr, elements / 8));
    gemm<<<dim3(n / kTile, m / kTile), 256>>>(static_cast<std::uint8_t*>(on_device(a.data(), a.size())),
                                              static_cast<std::uint8_t*>(on_device(b.data(), b.size())), scale, scale,
                                              static_cast<__hip_bfloat16*>(c), largest, n, k);
    if (hipDeviceSynchronize() != hipSuccess)
        return 1;
    print_checksum(c, elements / 2);
    print_checksum(largest, elements / 32);
    return 0;
}

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "add") == 0)
        return run_add(std::atoi(argv[2]));
    if (argc == 5 && std::strcmp(argv[1], "gemm") == 0)
        return run_gemm(std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
    std::fprintf(stderr, "kernels add COUNT | gemm M N K\n");
    return 2;
}
