#include "check.h"

// Counts with atomics on LDS and on memory; the last block to finish adds up (a counter with
// release and acquire).

__global__ void
histogram(const unsigned* in, unsigned* bins, unsigned* largest, float* sum, int count) {
    __shared__ unsigned local[64];
    if (threadIdx.x < 64)
        local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count;
         i += static_cast<int>(gridDim.x * blockDim.x)) {
        atomicAdd(&local[in[i] % 64], 1u);
        atomicMax(largest, in[i]);
        atomicAdd(sum, 1.0f);
    }
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void compare_and_swap(unsigned long long* value, int count) {
    for (int i = 0; i < count; ++i) {
        unsigned long long old = *value;
        unsigned long long seen;
        do {
            seen = old;
            old = atomicCAS(value, seen, seen + 3);
        } while (old != seen);
    }
}

int main() {
    const int count = 3000;
    Random random(13);
    std::vector<unsigned> in(count);
    std::vector<unsigned> want(64);
    unsigned most = 0;
    for (auto& value : in) {
        value = random.bits();
        ++want[value % 64];
        most = value > most ? value : most;
    }
    DeviceArray<unsigned> in_device(in);
    DeviceArray<unsigned> bins(std::vector<unsigned>(64, 0));
    DeviceArray<unsigned> largest(std::vector<unsigned>(1, 0));
    DeviceArray<float> sum(std::vector<float>(1, 0.0f));
    histogram<<<3, 128>>>(in_device.data(), bins.data(), largest.data(), sum.data(), count);
    expect_equal("bins", bins.read(), want);
    failures += largest.read()[0] == most && sum.read()[0] == static_cast<float>(count) ? 0 : 1;

    DeviceArray<unsigned long long> value(std::vector<unsigned long long>(1, 5));
    compare_and_swap<<<2, 32>>>(value.data(), 4);
    failures += value.read()[0] == 5 + 3ull * 2 * 32 * 4 ? 0 : 1;
    return finish();
}
