// Writes one element behind the end of an allocation: the finding names the line that does so.

#include <hip/hip_runtime.h>

__device__ void put(int* to, int value) {
    *to = value; // the line
}

__global__ void over(int* out) {
    put(out + threadIdx.x + 1, 3);
}

int main() {
    int* data = nullptr;
    if (hipMalloc(reinterpret_cast<void**>(&data), 64 * sizeof(int)) != hipSuccess)
        return 1;
    over<<<1, 64>>>(data);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
