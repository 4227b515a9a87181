#include "check.h"

#include <hip/hip_fp16.h>

// RMS norm of rows of halves: conversions, packed arithmetic, a reciprocal root.

__global__ void
rms_norm(const __half* in, const __half* weight, __half* out, int columns, float epsilon) {
    __shared__ float parts[4];
    const __half* const row = in + blockIdx.x * columns;
    float sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < columns; i += 256) {
        const float value = __half2float(row[i]);
        sum += value * value;
    }
    for (int distance = 32; distance > 0; distance /= 2)
        sum += __shfl_xor(sum, distance);
    if (threadIdx.x % 64 == 0)
        parts[threadIdx.x / 64] = sum;
    __syncthreads();
    const float scale =
        rsqrtf((parts[0] + parts[1] + parts[2] + parts[3]) / static_cast<float>(columns) + epsilon);
    for (int i = static_cast<int>(threadIdx.x); i < columns; i += 256)
        out[blockIdx.x * columns + i] =
            __float2half(__half2float(row[i]) * scale * __half2float(weight[i]));
}

int main() {
    const int rows = 3;
    const int columns = 600;
    Random random(19);
    std::vector<__half> in(rows * columns);
    std::vector<__half> weight(columns);
    for (auto& value : in)
        value = __float2half(random.uniform() * 4.0f);
    for (auto& value : weight)
        value = __float2half(random.uniform());
    std::vector<float> want(rows * columns);
    for (int row = 0; row < rows; ++row) {
        double sum = 0;
        for (int i = 0; i < columns; ++i)
            sum += std::pow(static_cast<double>(__half2float(in[row * columns + i])), 2);
        const double scale = 1.0 / std::sqrt(sum / columns + 1e-5);
        for (int i = 0; i < columns; ++i)
            want[row * columns + i] =
                static_cast<float>(static_cast<double>(__half2float(in[row * columns + i])) *
                                   scale * static_cast<double>(__half2float(weight[i])));
    }
    DeviceArray<__half> in_device(in);
    DeviceArray<__half> weight_device(weight);
    DeviceArray<__half> out(in.size());
    rms_norm<<<rows, 256>>>(in_device.data(), weight_device.data(), out.data(), columns, 1e-5f);
    std::vector<float> got;
    for (const __half value : out.read())
        got.push_back(__half2float(value));
    expect_near("rms_norm", got, want, 1.0 / 1024, 1e-6);
    return finish();
}
