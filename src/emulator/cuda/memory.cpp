#include "cuda/cuda_api.hpp"
#include "cuda/hip_calls.hpp"

#include <cstring>

// Memory is that of the HIP stand-in: guarded, tracked, one table for torch and for kernels.

using namespace kbuild::emulator::cuda;

namespace {

/// cudaPointerAttributes of CUDA 13: 88 bytes, of which these are used.
struct PointerAttributes {
    int type; ///< 0 unregistered, 1 host, 2 device, 3 managed: HIP's numbers
    int device;
    void* device_pointer;
    void* host_pointer;
    char reserved[64];
};
static_assert(sizeof(PointerAttributes) == 88);

} // namespace

KBUILD_CUDA cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    return hipMalloc(pointer, bytes);
}
/// torch's allocator frees blocks that it cached; its caller does not wait for the device then, so
/// nothing may come to be in order by it.
KBUILD_CUDA cudaError_t cudaFree(void* pointer) {
    return kbuild_device_release(pointer);
}
KBUILD_CUDA cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, hipStream_t stream) {
    return hipMallocAsync(pointer, bytes, stream);
}
KBUILD_CUDA cudaError_t cudaFreeAsync(void* pointer, hipStream_t stream) {
    return hipFreeAsync(pointer, stream);
}
KBUILD_CUDA cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
    return hipMallocManaged(pointer, bytes, flags);
}
KBUILD_CUDA cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    return hipHostMalloc(pointer, bytes, flags);
}
KBUILD_CUDA cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
    return hipHostMalloc(pointer, bytes, 0);
}
KBUILD_CUDA cudaError_t cudaFreeHost(void* pointer) {
    return hipHostFree(pointer);
}
KBUILD_CUDA cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
    return hipHostRegister(pointer, bytes, flags);
}
KBUILD_CUDA cudaError_t cudaHostUnregister(void* pointer) {
    return hipHostUnregister(pointer);
}
KBUILD_CUDA cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
    return hipMemGetInfo(free_bytes, total);
}
KBUILD_CUDA cudaError_t cudaPointerGetAttributes(void* attributes, const void* pointer) {
    hipPointerAttribute_t known{};
    if (const auto error = hipPointerGetAttributes(&known, pointer); error != hipSuccess)
        return error;
    constexpr int kNoDevice = -2;
    PointerAttributes result{};
    result.type = known.type;
    result.device = known.type == 0 ? kNoDevice : known.device;
    result.device_pointer = known.devicePointer;
    result.host_pointer = known.hostPointer;
    std::memcpy(attributes, &result, sizeof result);
    return hipSuccess;
}

KBUILD_CUDA cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
    return hipMemcpy(to, from, bytes, kind);
}
KBUILD_CUDA cudaError_t
cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, hipStream_t stream) {
    return hipMemcpyAsync(to, from, bytes, kind, stream);
}
KBUILD_CUDA cudaError_t
cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, hipStream_t stream) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, stream);
}
KBUILD_CUDA cudaError_t cudaMemcpy2DAsync(void* to,
                                          std::size_t to_pitch,
                                          const void* from,
                                          std::size_t from_pitch,
                                          std::size_t width,
                                          std::size_t height,
                                          int kind,
                                          hipStream_t stream) {
    return hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream);
}
KBUILD_CUDA cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    return hipMemset(to, value, bytes);
}
KBUILD_CUDA cudaError_t cudaMemsetAsync(void* to,
                                        int value,
                                        std::size_t bytes,
                                        hipStream_t stream) {
    return hipMemsetAsync(to, value, bytes, stream);
}
