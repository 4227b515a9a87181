#include "cuda/cuda_api.hpp"
#include "cuda/hip_calls.hpp"

#include <array>
#include <cstdio>
#include <cstring>

// Devices, their properties, and errors.

using namespace kbuild::emulator::cuda;

namespace {

/// What torch's CUDA build shows as gcnArchName too, so that the kernels package finds the arch.
constexpr char kName[] = "gfx942:sramecc+:xnack-";
constexpr int kRuntimeVersion = 13000;

/// cudaDeviceProp of CUDA 13; offsets are those that torch's own libraries read.
constexpr std::size_t kPropertiesBytes = 1008;
struct Property {
    std::size_t offset;
    std::size_t bytes;
    std::uint64_t value;
    int attribute; ///< the cudaDeviceAttr that says the same; -1: none
};
constexpr std::size_t kTotalMemoryOffset = 288;
constexpr Property kProperties[] = {
    {296, 8, 65536, 8},      // sharedMemPerBlock
    {304, 4, 65536, 12},     // regsPerBlock
    {308, 4, 64, 10},        // warpSize
    {320, 4, 1024, 1},       // maxThreadsPerBlock
    {324, 4, 1024, 2},       // maxThreadsDim
    {328, 4, 1024, 3},       //
    {332, 4, 1024, 4},       //
    {336, 4, 2147483647, 5}, // maxGridSize
    {340, 4, 65536, 6},      //
    {344, 4, 65536, 7},      //
    {360, 4, 9, 75},         // major
    {364, 4, 4, 76},         // minor
    {368, 8, 256, 14},       // textureAlignment
    {384, 4, 304, 16},       // multiProcessorCount
    {392, 4, 1, 19},         // canMapHostMemory
    {560, 4, 1, 31},         // concurrentKernels
    {568, 4, 0, 33},         // pciBusID
    {588, 4, 1, 41},         // unifiedAddressing
    {592, 4, 8192, 37},      // memoryBusWidth
    {596, 4, 4194304, 38},   // l2CacheSize
    {604, 4, 2048, 39},      // maxThreadsPerMultiProcessor
    {624, 8, 65536, 81},     // sharedMemPerMultiprocessor
    {632, 4, 131072, 82},    // regsPerMultiprocessor
    {672, 8, 65536, 97},     // sharedMemPerBlockOptin
};

bool is_device(int ordinal) {
    int count = 0;
    return hipGetDeviceCount(&count) == hipSuccess && ordinal >= 0 && ordinal < count;
}

} // namespace

KBUILD_CUDA cudaError_t cudaGetDeviceCount(int* count) {
    return hipGetDeviceCount(count);
}
KBUILD_CUDA cudaError_t cudaGetDevice(int* device) {
    return hipGetDevice(device);
}
KBUILD_CUDA cudaError_t cudaSetDevice(int device) {
    return hipSetDevice(device);
}
KBUILD_CUDA cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return is_device(device) ? hipSuccess : remember(hipErrorInvalidDevice);
}
KBUILD_CUDA cudaError_t cudaDriverGetVersion(int* version) {
    *version = kRuntimeVersion;
    return hipSuccess;
}
KBUILD_CUDA cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = kRuntimeVersion;
    return hipSuccess;
}
KBUILD_CUDA cudaError_t cudaDeviceSynchronize() {
    return hipDeviceSynchronize();
}
/// No stream of CUDA has less than the usual priority; c10/cuda/CUDAStream.h insists on it.
KBUILD_CUDA cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    const auto error = hipDeviceGetStreamPriorityRange(least, greatest);
    *least = 0;
    return error;
}
KBUILD_CUDA cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return hipSuccess;
}
KBUILD_CUDA cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    if (!is_device(device))
        return remember(hipErrorInvalidDevice);
    std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0", device + 1);
    return hipSuccess;
}

KBUILD_CUDA cudaError_t cudaGetDeviceProperties(void* properties, int device) {
    std::size_t memory = 0;
    if (!is_device(device) || hipDeviceTotalMem(&memory, device) != hipSuccess)
        return remember(hipErrorInvalidDevice);
    std::array<char, kPropertiesBytes> bytes{};
    std::memcpy(bytes.data(), kName, sizeof kName);
    for (const auto& property : kProperties)
        std::memcpy(bytes.data() + property.offset, &property.value, property.bytes);
    std::memcpy(bytes.data() + kTotalMemoryOffset, &memory, sizeof memory);
    std::memcpy(properties, bytes.data(), bytes.size());
    return hipSuccess;
}
KBUILD_CUDA cudaError_t cudaDeviceGetAttribute(int* value, int attribute, int device) {
    if (!is_device(device))
        return remember(hipErrorInvalidDevice);
    *value = 0; // a feature that is not there
    for (const auto& property : kProperties)
        if (property.attribute == attribute)
            *value = static_cast<int>(property.value);
    return hipSuccess;
}

KBUILD_CUDA cudaError_t cudaGetLastError() {
    return hipGetLastError();
}
KBUILD_CUDA cudaError_t cudaPeekAtLastError() {
    return hipPeekAtLastError();
}
KBUILD_CUDA const char* cudaGetErrorName(cudaError_t error) {
    return hipGetErrorName(error);
}
KBUILD_CUDA const char* cudaGetErrorString(cudaError_t error) {
    const bool is_refusal =
        error == hipErrorNotSupported || error == cudaErrorNoKernelImageForDevice;
    return is_refusal && *last_refusal() != '\0' ? last_refusal() : hipGetErrorString(error);
}
