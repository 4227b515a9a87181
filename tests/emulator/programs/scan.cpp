#include "check.h"

// Inclusive prefix sums of a block in LDS, and of 64-bit values in a wave by shuffles.

__global__ void scan_block(const int* in, int* out) {
    __shared__ int values[2][256];
    const unsigned i = threadIdx.x;
    int from = 0;
    values[0][i] = in[blockIdx.x * 256 + i];
    __syncthreads();
    for (unsigned distance = 1; distance < 256; distance *= 2) {
        values[1 - from][i] = values[from][i] + (i >= distance ? values[from][i - distance] : 0);
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * 256 + i] = values[from][i];
}

__global__ void scan_wave(const long long* in, long long* out) {
    const int lane = static_cast<int>(threadIdx.x);
    long long value = in[lane];
    for (int distance = 1; distance < 64; distance *= 2) {
        const long long other = __shfl_up(value, distance);
        if (lane >= distance)
            value += other;
    }
    out[lane] = value;
}

int main() {
    Random random(7);
    std::vector<int> in(1024);
    std::vector<int> want(1024);
    for (int i = 0; i < 1024; ++i) {
        in[i] = static_cast<int>(random.bits() % 100);
        want[i] = in[i] + (i % 256 == 0 ? 0 : want[i - 1]);
    }
    DeviceArray<int> in_device(in);
    DeviceArray<int> out(1024);
    scan_block<<<4, 256>>>(in_device.data(), out.data());
    expect_equal("block", out.read(), want);

    std::vector<long long> wide(64);
    std::vector<long long> wide_want(64);
    for (int i = 0; i < 64; ++i) {
        wide[i] = static_cast<long long>(random.bits()) << 20;
        wide_want[i] = wide[i] + (i == 0 ? 0 : wide_want[i - 1]);
    }
    DeviceArray<long long> wide_device(wide);
    DeviceArray<long long> wide_out(64);
    scan_wave<<<1, 64>>>(wide_device.data(), wide_out.data());
    expect_equal("wave", wide_out.read(), wide_want);
    return finish();
}
