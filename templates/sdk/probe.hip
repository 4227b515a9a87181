#include <hip/hip_runtime.h>

// The C++ library's headers, which a compiler that took the wrong GCC does not find.
#include <cmath>

typedef float Accumulator __attribute__((ext_vector_type(4)));

// A matrix instruction that only the gfx94x family has, a call into the device library and a launch.
__global__ void probe(const long* a, const long* b, float* c) {
    Accumulator sum = {0, 0, 0, 0};
    sum = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(a[threadIdx.x], b[threadIdx.x], sum, 0, 0, 0);
    c[threadIdx.x] = expf(sum[0]);
}

extern "C" void run_probe(const long* a, const long* b, float* c, hipStream_t stream) {
    hipLaunchKernelGGL(probe, dim3(1), dim3(64), 0, stream, a, b, c);
}
