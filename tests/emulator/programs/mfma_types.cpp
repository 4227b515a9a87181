#include "check.h"

// One matrix instruction of each type, on small integers: exact in every order of additions.

using Half4 = _Float16 __attribute__((ext_vector_type(4)));
using Short4 = short __attribute__((ext_vector_type(4)));
using Float4 = float __attribute__((ext_vector_type(4)));
using Float16 = float __attribute__((ext_vector_type(16)));
using Int4 = int __attribute__((ext_vector_type(4)));

// 16 x 16 results: lane l has rows 4 * (l / 16) + r of column l % 16.
__device__ void store16(float* out, Float4 d) {
    for (int r = 0; r < 4; ++r)
        out[(4 * (threadIdx.x / 16) + r) * 16 + threadIdx.x % 16] = d[r];
}

__global__ void half16(const float* a, const float* b, float* out) { // K = 16
    Half4 x;
    Half4 y;
    for (int j = 0; j < 4; ++j) {
        const unsigned k = 4 * (threadIdx.x / 16) + j;
        x[j] = static_cast<_Float16>(a[threadIdx.x % 16 * 16 + k]);
        y[j] = static_cast<_Float16>(b[k * 16 + threadIdx.x % 16]);
    }
    store16(out, __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, Float4(0.0f), 0, 0, 0));
}

__device__ short to_bf16(float value) {
    return static_cast<short>(__builtin_bit_cast(unsigned, value) >> 16);
}

__global__ void bfloat16(const float* a, const float* b, float* out) { // K = 16
    Short4 x;
    Short4 y;
    for (int j = 0; j < 4; ++j) {
        const unsigned k = 4 * (threadIdx.x / 16) + j;
        x[j] = to_bf16(a[threadIdx.x % 16 * 16 + k]);
        y[j] = to_bf16(b[k * 16 + threadIdx.x % 16]);
    }
    store16(out, __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(x, y, Float4(0.0f), 0, 0, 0));
}

__global__ void single16(const float* a, const float* b, float* out) { // K = 16 in four steps
    Float4 d(0.0f);
    for (int step = 0; step < 4; ++step) {
        const unsigned k = 4 * step + threadIdx.x / 16;
        d = __builtin_amdgcn_mfma_f32_16x16x4f32(
            a[threadIdx.x % 16 * 16 + k], b[k * 16 + threadIdx.x % 16], d, 0, 0, 0);
    }
    store16(out, d);
}

__global__ void fp8_16(const float* a, const float* b, float* out) { // K = 32, the upper half zeros
    long x = 0;
    long y = 0;
    for (int j = 0; j < 8; ++j) {
        const unsigned k = 8 * (threadIdx.x / 16) + j;
        if (k >= 16)
            continue;
        const long p =
            __builtin_amdgcn_cvt_pk_fp8_f32(a[threadIdx.x % 16 * 16 + k], 0.0f, 0, false) & 0xff;
        const long q =
            __builtin_amdgcn_cvt_pk_fp8_f32(b[k * 16 + threadIdx.x % 16], 0.0f, 0, false) & 0xff;
        x |= p << (8 * j);
        y |= q << (8 * j);
    }
    store16(out, __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(x, y, Float4(0.0f), 0, 0, 0));
}

__global__ void half32(const float* a, const float* b, float* out) { // 32 x 32, K = 8
    Half4 x;
    Half4 y;
    for (int j = 0; j < 4; ++j) {
        const unsigned k = 4 * (threadIdx.x / 32) + j;
        x[j] = static_cast<_Float16>(a[threadIdx.x % 32 * 8 + k]);
        y[j] = static_cast<_Float16>(b[k * 32 + threadIdx.x % 32]);
    }
    const Float16 d = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, Float16(0.0f), 0, 0, 0);
    for (int r = 0; r < 16; ++r)
        out[(8 * (r / 4) + 4 * (threadIdx.x / 32) + r % 4) * 32 + threadIdx.x % 32] = d[r];
}

void run(const char* name, void (*kernel)(const float*, const float*, float*), int size, int k) {
    Random random(29);
    std::vector<float> a(size * k);
    std::vector<float> b(size * k);
    for (auto& value : a)
        value = static_cast<float>(static_cast<int>(random.bits() % 15) - 7);
    for (auto& value : b)
        value = static_cast<float>(static_cast<int>(random.bits() % 15) - 7);
    std::vector<float> want(size * size);
    for (int i = 0; i < size; ++i)
        for (int n = 0; n < size; ++n)
            for (int j = 0; j < k; ++j)
                want[i * size + n] += a[i * k + j] * b[j * size + n];
    DeviceArray<float> a_device(a);
    DeviceArray<float> b_device(b);
    DeviceArray<float> out(want.size());
    kernel<<<1, 64>>>(a_device.data(), b_device.data(), out.data());
    expect_equal(name, out.read(), want);
}

int main() {
    run("f16 16x16x16", half16, 16, 16);
    run("bf16 16x16x16", bfloat16, 16, 16);
    run("f32 16x16x4", single16, 16, 16);
    run("fp8 16x16x32", fp8_16, 16, 16);
    run("f16 32x32x8", half32, 32, 8);
    return finish();
}
