#include "check.h"

// Sums: through shuffles (ds_bpermute or DPP) in a wave, through LDS between waves.

__global__ void sum_blocks(const float* in, float* out, int count) {
    __shared__ float partial[16];
    float sum = 0;
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count;
         i += static_cast<int>(gridDim.x * blockDim.x))
        sum += in[i];
    for (int distance = 32; distance > 0; distance /= 2)
        sum += __shfl_down(sum, distance);
    if (threadIdx.x % 64 == 0)
        partial[threadIdx.x / 64] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (unsigned wave = 0; wave < blockDim.x / 64; ++wave)
            total += partial[wave];
        out[blockIdx.x] = total;
    }
}

// One DPP step per power of two: row shifts within 16 lanes, broadcasts between rows.
template <int Control, int Rows> __device__ int dpp_add(int value) {
    return value + __builtin_amdgcn_update_dpp(0, value, Control, Rows, 0xf, false);
}

__global__ void sum_waves_dpp(const int* in, int* out) {
    int value = in[blockIdx.x * 64 + threadIdx.x];
    value = dpp_add<0x111, 0xf>(value); // row_shr:1
    value = dpp_add<0x112, 0xf>(value); // row_shr:2
    value = dpp_add<0x114, 0xf>(value); // row_shr:4
    value = dpp_add<0x118, 0xf>(value); // row_shr:8
    value = dpp_add<0x142, 0xa>(value); // row_bcast:15
    value = dpp_add<0x143, 0xc>(value); // row_bcast:31
    if (threadIdx.x == 63)
        out[blockIdx.x] = value;
}

int main() {
    const int count = 5000;
    std::vector<float> in(count);
    for (int i = 0; i < count; ++i)
        in[i] = static_cast<float>(i % 17) - 8.0f; // sums of small integers are exact in any order
    DeviceArray<float> in_device(in);
    DeviceArray<float> out(4);
    sum_blocks<<<4, 256>>>(in_device.data(), out.data(), count);
    float total = 0;
    for (const float part : out.read())
        total += part;
    float want = 0;
    for (const float value : in)
        want += value;
    failures += total == want ? 0 : 1;

    Random random(5);
    std::vector<int> integers(256);
    std::vector<int> sums(4);
    for (int i = 0; i < 256; ++i) {
        integers[i] = static_cast<int>(random.bits() % 1000) - 500;
        sums[i / 64] += integers[i];
    }
    DeviceArray<int> integers_device(integers);
    DeviceArray<int> sums_device(4);
    sum_waves_dpp<<<4, 64>>>(integers_device.data(), sums_device.data());
    expect_equal("dpp", sums_device.read(), sums);
    return finish();
}
