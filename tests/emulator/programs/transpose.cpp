#include "check.h"

// A matrix of bytes, halves and floats, transposed through LDS.

template <class T> __global__ void transpose(const T* in, T* out, int rows, int columns) {
    __shared__ T tile[32][33];
    const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
    for (int y = static_cast<int>(threadIdx.y); y < 32; y += 8) {
        const int row = static_cast<int>(blockIdx.y) * 32 + y;
        if (x < columns && row < rows)
            tile[y][threadIdx.x] = in[row * columns + x];
    }
    __syncthreads();
    const int row = static_cast<int>(blockIdx.y * 32 + threadIdx.x);
    for (int y = static_cast<int>(threadIdx.y); y < 32; y += 8) {
        const int column = static_cast<int>(blockIdx.x) * 32 + y;
        if (column < columns && row < rows)
            out[column * rows + row] = tile[threadIdx.x][y];
    }
}

template <class T> void run(const char* name) {
    const int rows = 70;
    const int columns = 45;
    Random random(11);
    std::vector<T> in(rows * columns);
    std::vector<T> want(rows * columns);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            in[row * columns + column] = static_cast<T>(random.bits() % 200);
            want[column * rows + row] = in[row * columns + column];
        }
    DeviceArray<T> in_device(in);
    DeviceArray<T> out(in.size());
    transpose<T><<<dim3(2, 3), dim3(32, 8)>>>(in_device.data(), out.data(), rows, columns);
    expect_equal(name, out.read(), want);
}

int main() {
    run<unsigned char>("bytes");
    run<unsigned short>("halves");
    run<float>("floats");
    run<double>("doubles");
    return finish();
}
