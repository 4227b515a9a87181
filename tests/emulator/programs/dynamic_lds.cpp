#include "check.h"

// LDS whose size the launch says, an array in scratch with a computed index, and 64-bit division.

__global__ void reverse(const int* in, int* out) {
    extern __shared__ int values[];
    values[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

__global__ void permute(const int* order, long long* out) {
    long long local[16];
    for (int i = 0; i < 16; ++i)
        local[i] = static_cast<long long>(i + 1) * 1000003 * (threadIdx.x + 1);
    long long sum = 0;
    for (int i = 0; i < 16; ++i)
        sum += local[order[i]] / (i + 3) - local[order[15 - i]] % (i + 5);
    out[threadIdx.x] = sum;
}

int main() {
    std::vector<int> in(512);
    std::vector<int> want(512);
    for (int i = 0; i < 512; ++i) {
        in[i] = i * i;
        want[i / 128 * 128 + 127 - i % 128] = in[i];
    }
    DeviceArray<int> in_device(in);
    DeviceArray<int> out(512);
    reverse<<<4, 128, 128 * sizeof(int)>>>(in_device.data(), out.data());
    expect_equal("reverse", out.read(), want);

    const std::vector<int> order = {3, 1, 4, 15, 9, 2, 6, 5, 13, 0, 8, 7, 12, 11, 10, 14};
    std::vector<long long> sums(70);
    for (int thread = 0; thread < 70; ++thread)
        for (int i = 0; i < 16; ++i) {
            const auto local = [&](int j) {
                return static_cast<long long>(j + 1) * 1000003 * (thread + 1);
            };
            sums[thread] += local(order[i]) / (i + 3) - local(order[15 - i]) % (i + 5);
        }
    DeviceArray<int> order_device(order);
    DeviceArray<long long> sums_device(70);
    permute<<<1, 70>>>(order_device.data(), sums_device.data());
    expect_equal("permute", sums_device.read(), sums);
    return finish();
}
