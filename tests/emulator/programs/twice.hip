// A kernel for programs/modules.cpp, compiled to a code object of its own.
#include <hip/hip_runtime.h>

extern "C" __global__ void twice(int* data, int count) {
    if (static_cast<int>(threadIdx.x) < count)
        data[threadIdx.x] *= 2;
}
