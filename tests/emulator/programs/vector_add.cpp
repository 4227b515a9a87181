#include "check.h"

// Vector addition: plain loads and stores, an edge that does not fill a wave, and <<<>>>.

__global__ void add(const float* a, const float* b, float* out, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        out[i] = a[i] + b[i];
}

__constant__ float weights[4];
__device__ int calls;

__global__ void weigh(float* data, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i == 0)
        atomicAdd(&calls, 1);
    if (i < count)
        data[i] *= weights[i % 4];
}

int main() {
    const int count = 1000;
    Random random(3);
    std::vector<float> a(count);
    std::vector<float> b(count);
    std::vector<float> want(count);
    for (int i = 0; i < count; ++i) {
        a[i] = random.uniform();
        b[i] = random.uniform();
        want[i] = a[i] + b[i];
    }
    DeviceArray<float> a_device(a);
    DeviceArray<float> b_device(b);
    DeviceArray<float> out(count);
    add<<<(count + 255) / 256, 256>>>(a_device.data(), b_device.data(), out.data(), count);
    CHECK_HIP(hipGetLastError());
    expect_equal("add", out.read(), want);

    const float factors[4] = {1.0f, -2.0f, 0.5f, 3.0f};
    CHECK_HIP(hipMemcpyToSymbol(HIP_SYMBOL(weights), factors, sizeof factors));
    hipLaunchKernelGGL(weigh, dim3((count + 127) / 128), dim3(128), 0, nullptr, out.data(), count);
    for (int i = 0; i < count; ++i)
        want[i] *= factors[i % 4];
    expect_equal("weigh", out.read(), want);
    int called = 0;
    CHECK_HIP(hipMemcpyFromSymbol(&called, HIP_SYMBOL(calls), sizeof called));
    failures += called == 1 ? 0 : 1;
    hipDeviceProp_t properties;
    CHECK_HIP(hipGetDeviceProperties(&properties, 0));
    failures += properties.warpSize == 64 && properties.multiProcessorCount == 304 &&
                        std::strncmp(properties.gcnArchName, "gfx942", 6) == 0
                    ? 0
                    : 1;
    return finish();
}
