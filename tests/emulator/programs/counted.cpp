#include "check.h"

// Two kernels whose bank conflicts and memory segments are known beforehand (check_report.py).

__global__ void straight(const float* in, float* out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

// All lanes' words in one bank, and a cache line for each lane.
__global__ void scattered(const float* in, float* out) {
    __shared__ float tile[64 * 32];
    tile[threadIdx.x * 32] = in[threadIdx.x * 16];
    __syncthreads();
    out[threadIdx.x] = tile[(63 - threadIdx.x) * 32];
}

int main() {
    std::vector<float> in(64 * 16);
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<float>(i);
    std::vector<float> want(64);
    DeviceArray<float> from(in);
    DeviceArray<float> to(64);
    straight<<<1, 64>>>(from.data(), to.data());
    for (int i = 0; i < 64; ++i)
        want[i] = static_cast<float>(63 - i);
    expect_equal("straight", to.read(), want);
    scattered<<<1, 64>>>(from.data(), to.data());
    for (int i = 0; i < 64; ++i)
        want[i] = static_cast<float>(16 * (63 - i));
    expect_equal("scattered", to.read(), want);
    return finish();
}
