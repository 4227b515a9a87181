#include "check.h"

// Rows of softmax: exponentials, a maximum and a sum by shuffles, a division.

__global__ void softmax(const float* in, float* out, int columns) {
    const float* const row = in + blockIdx.x * columns;
    float most = -INFINITY;
    for (int i = static_cast<int>(threadIdx.x); i < columns; i += 64)
        most = fmaxf(most, row[i]);
    for (int distance = 32; distance > 0; distance /= 2)
        most = fmaxf(most, __shfl_xor(most, distance));
    float sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < columns; i += 64)
        sum += expf(row[i] - most);
    for (int distance = 32; distance > 0; distance /= 2)
        sum += __shfl_xor(sum, distance);
    for (int i = static_cast<int>(threadIdx.x); i < columns; i += 64)
        out[blockIdx.x * columns + i] = expf(row[i] - most) / sum;
}

int main() {
    const int rows = 5;
    const int columns = 200;
    Random random(17);
    std::vector<float> in(rows * columns);
    std::vector<float> want(rows * columns);
    for (auto& value : in)
        value = random.uniform() * 10.0f;
    for (int row = 0; row < rows; ++row) {
        double sum = 0;
        for (int i = 0; i < columns; ++i)
            sum += std::exp(static_cast<double>(in[row * columns + i]));
        for (int i = 0; i < columns; ++i)
            want[row * columns + i] =
                static_cast<float>(std::exp(static_cast<double>(in[row * columns + i])) / sum);
    }
    DeviceArray<float> in_device(in);
    DeviceArray<float> out(in.size());
    softmax<<<rows, 64>>>(in_device.data(), out.data(), columns);
    expect_near("softmax", out.read(), want, 2e-6, 1e-12);
    return finish();
}
