#include "@module@.h"

#include <hip/hip_runtime.h>

namespace {

constexpr int kWorkGroup = 256;

__global__ void multiply(float* out, const float* input, float factor, std::int64_t count) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kWorkGroup + threadIdx.x;
    if (i < count)
        out[i] = factor * input[i];
}

}  // namespace

int @module@_launch(float* out, const float* input, float factor, std::int64_t count, void* stream) {
    if (count == 0)
        return hipSuccess;
    const dim3 groups(static_cast<unsigned>((count + kWorkGroup - 1) / kWorkGroup));
    multiply<<<groups, dim3(kWorkGroup), 0, static_cast<hipStream_t>(stream)>>>(out, input, factor, count);
    return hipGetLastError();
}

const char* @module@_error(int error) {
    return hipGetErrorString(static_cast<hipError_t>(error));
}
