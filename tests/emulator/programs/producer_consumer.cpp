#include "check.h"

// One wave writes items into LDS, another one reads them; flags are handed over with atomics.

__global__ void pipeline(const int* in, int* out, int items) {
    __shared__ int slot[64];
    __shared__ unsigned full;
    if (threadIdx.x == 0)
        full = 0;
    __syncthreads();
    const unsigned lane = threadIdx.x % 64;
    const bool producer = threadIdx.x < 64;
    for (int item = 0; item < items; ++item) {
        if (producer) {
            while (atomicAdd(&full, 0u) != 0) {
            }
            slot[lane] = in[item * 64 + lane] * 2;
            __threadfence_block();
            if (lane == 0)
                atomicExch(&full, 1u);
        } else {
            while (atomicAdd(&full, 0u) != 1) {
            }
            out[item * 64 + lane] = slot[lane] + 1;
            __threadfence_block();
            if (lane == 0)
                atomicExch(&full, 0u);
        }
    }
}

int main() {
    const int items = 5;
    std::vector<int> in(64 * items);
    std::vector<int> want(64 * items);
    for (int i = 0; i < 64 * items; ++i) {
        in[i] = i * 7;
        want[i] = in[i] * 2 + 1;
    }
    DeviceArray<int> in_device(in);
    DeviceArray<int> out(in.size());
    pipeline<<<1, 128>>>(in_device.data(), out.data(), items);
    expect_equal("pipeline", out.read(), want);
    return finish();
}
