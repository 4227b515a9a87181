#include "check.h"

// Partial sums by several blocks, added up by the last one to finish.

__global__ void
split(const float* a, const float* b, float* partial, float* out, unsigned* arrived, int k) {
    __shared__ bool last;
    const int from = static_cast<int>(blockIdx.x) * k / static_cast<int>(gridDim.x);
    const int to = static_cast<int>(blockIdx.x + 1) * k / static_cast<int>(gridDim.x);
    float sum = 0;
    for (int i = from; i < to; ++i)
        sum += a[threadIdx.x * k + i] * b[i];
    partial[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(arrived, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    float total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block)
        total += partial[block * blockDim.x + threadIdx.x];
    out[threadIdx.x] = total;
}

int main() {
    const int rows = 128;
    const int k = 96;
    Random random(31);
    std::vector<float> a(rows * k);
    std::vector<float> b(k);
    for (auto& value : a)
        value = static_cast<float>(static_cast<int>(random.bits() % 9) - 4);
    for (auto& value : b)
        value = static_cast<float>(static_cast<int>(random.bits() % 9) - 4);
    std::vector<float> want(rows);
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < k; ++i)
            want[row] += a[row * k + i] * b[i];
    DeviceArray<float> a_device(a);
    DeviceArray<float> b_device(b);
    DeviceArray<float> partial(4 * rows);
    DeviceArray<float> out(rows);
    DeviceArray<unsigned> arrived(std::vector<unsigned>(1, 0));
    split<<<4, rows>>>(
        a_device.data(), b_device.data(), partial.data(), out.data(), arrived.data(), k);
    expect_equal("split", out.read(), want);
    return finish();
}
