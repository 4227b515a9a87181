#include "hip/runtime.hpp"

#include <array>
#include <cstring>

// Devices and errors.

using namespace kbuild::emulator;
using namespace kbuild::emulator::hip;

namespace {

constexpr std::size_t kPropertiesBytes = 1472; ///< hipDeviceProp_tR0600 of HIP 6 and 7
constexpr char kArch[] = "gfx942:sramecc+:xnack-";
constexpr char kName[] = "AMD Instinct MI300X (emulated by kbuild)";
constexpr std::size_t kTotalMemoryOffset = 288;

/// A member of hipDeviceProp_tR0600 and the attribute that says the same (-1: none).
struct Property {
    std::size_t offset;
    std::size_t bytes;
    std::uint64_t value;
    int attribute;
};
constexpr Property kProperties[] = {
    {296, 8, 65536, 74},                                                     // sharedMemPerBlock
    {304, 4, 65536, 71},                                                     // regsPerBlock
    {308, 4, 64, 87},                                                        // warpSize
    {312, 8, 2147483647, -1},                                                // memPitch
    {320, 4, 1024, 56},                                                      // maxThreadsPerBlock
    {324, 4, 1024, 26},                                                      // maxThreadsDim
    {328, 4, 1024, 27},       {332, 4, 1024, 28},  {336, 4, 2147483647, 29}, // maxGridSize
    {340, 4, 65536, 30},      {344, 4, 65536, 31}, {348, 4, 2100000, 5},     // clockRate, kHz
    {352, 8, 2147483647, 83},                                                // totalConstMem
    {360, 4, 9, 23},                                                         // major
    {364, 4, 4, 61},                                                         // minor
    {368, 8, 256, -1},                                                       // textureAlignment
    {388, 4, 304, 63},                                                       // multiProcessorCount
    {400, 4, 1, 3},                                                          // canMapHostMemory
    {576, 4, 1, 8},                                                          // concurrentKernels
    {604, 4, 1, 85},                                                         // unifiedAddressing
    {608, 4, 1300000, 60},                                                   // memoryClockRate
    {612, 4, 8192, 59},                                                      // memoryBusWidth
    {616, 4, 4194304, 19},                                                   // l2CacheSize
    {624, 4, 2048, 57},       // maxThreadsPerMultiProcessor
    {640, 8, 65536, 76},      // sharedMemPerMultiprocessor
    {648, 4, 131072, -1},     // regsPerMultiprocessor
    {652, 4, 1, 24},          // managedMemory
    {696, 8, 65536, 75},      // sharedMemPerBlockOptin
    {712, 4, 2, 25},          // maxBlocksPerMultiProcessor
    {728, 4, 1, -1},          // hostRegisterSupported
    {1416, 8, 65536, 10002},  // maxSharedMemoryPerMultiProcessor
    {1424, 4, 100000, 10017}, // clockInstructionRate, wall clock rate
    {1464, 4, 1, -1},         // isLargeBar
};

Runtime& runtime() {
    return Runtime::instance();
}

int device_count() {
    return static_cast<int>(runtime().device().options().devices);
}
bool is_device(int ordinal) {
    return ordinal >= 0 && ordinal < device_count();
}

struct ErrorName {
    hipError_t code;
    const char* name;
    const char* text;
};
constexpr ErrorName kErrors[] = {
    {hipSuccess, "hipSuccess", "no error"},
    {hipErrorInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {hipErrorOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {hipErrorInvalidConfiguration,
     "hipErrorInvalidConfiguration",
     "invalid configuration argument"},
    {hipErrorInvalidSymbol, "hipErrorInvalidSymbol", "invalid device symbol"},
    {hipErrorInvalidDeviceFunction, "hipErrorInvalidDeviceFunction", "invalid device function"},
    {hipErrorInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {hipErrorInvalidImage, "hipErrorInvalidImage", "device kernel image is invalid"},
    {hipErrorNoBinaryForGpu,
     "hipErrorNoBinaryForGpu",
     "no kernel image is available for execution on the device"},
    {hipErrorFileNotFound, "hipErrorFileNotFound", "file not found"},
    {hipErrorInvalidHandle, "hipErrorInvalidHandle", "invalid resource handle"},
    {hipErrorNotFound, "hipErrorNotFound", "named symbol not found"},
    {hipErrorLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
    {hipErrorNotSupported, "hipErrorNotSupported", "operation not supported"},
};

const ErrorName* find_error(hipError_t code) {
    for (const auto& error : kErrors)
        if (error.code == code)
            return &error;
    return nullptr;
}

} // namespace

KBUILD_HIP hipError_t hipInit(unsigned) {
    return hipSuccess;
}
KBUILD_HIP hipError_t hipGetDeviceCount(int* count) {
    *count = device_count();
    return hipSuccess;
}
KBUILD_HIP hipError_t hipGetDevice(int* device) {
    *device = Runtime::current_device();
    return hipSuccess;
}
KBUILD_HIP hipError_t hipSetDevice(int device) {
    return runtime().select_device(device) ? hipSuccess : runtime().remember(hipErrorInvalidDevice);
}
KBUILD_HIP hipError_t hipDeviceGet(int* device, int ordinal) {
    if (!is_device(ordinal))
        return runtime().remember(hipErrorInvalidDevice);
    *device = ordinal;
    return hipSuccess;
}
KBUILD_HIP hipError_t hipDeviceGetName(char* name, int length, int) {
    std::strncpy(name, kName, static_cast<std::size_t>(length));
    name[length - 1] = '\0';
    return hipSuccess;
}
KBUILD_HIP hipError_t hipDeviceTotalMem(std::size_t* bytes, int) {
    *bytes = runtime().device().options().memory;
    return hipSuccess;
}
KBUILD_HIP hipError_t hipDeviceComputeCapability(int* major, int* minor, int) {
    *major = 9;
    *minor = 4;
    return hipSuccess;
}
KBUILD_HIP hipError_t hipGetDevicePropertiesR0600(void* properties, int device) {
    if (!is_device(device))
        return runtime().remember(hipErrorInvalidDevice);
    std::array<char, kPropertiesBytes> bytes{};
    std::memcpy(bytes.data(), kName, sizeof kName);
    std::memcpy(bytes.data() + 1160, kArch, sizeof kArch);
    for (const auto& property : kProperties)
        std::memcpy(bytes.data() + property.offset, &property.value, property.bytes);
    const std::uint64_t memory = runtime().device().options().memory;
    std::memcpy(bytes.data() + kTotalMemoryOffset, &memory, sizeof memory);
    std::memcpy(properties, bytes.data(), bytes.size());
    return hipSuccess;
}
KBUILD_HIP hipError_t hipDeviceGetAttribute(int* value, int attribute, int) {
    *value = 0;
    for (const auto& property : kProperties)
        if (property.attribute == attribute)
            *value = static_cast<int>(property.value);
    return hipSuccess;
}
KBUILD_HIP hipError_t hipDeviceSynchronize() {
    runtime().streams().host_waits_for_device(Runtime::current_device());
    return hipSuccess;
}
KBUILD_HIP hipError_t hipDeviceReset() {
    return hipSuccess;
}
KBUILD_HIP hipError_t hipSetDeviceFlags(unsigned) {
    return hipSuccess;
}
KBUILD_HIP hipError_t hipGetDeviceFlags(unsigned* flags) {
    *flags = 0;
    return hipSuccess;
}
KBUILD_HIP hipError_t hipDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return hipSuccess;
}
/// As on AMD's devices; c10/hip/HIPStream.h insists on it.
KBUILD_HIP hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 1;
    *greatest = -1;
    return hipSuccess;
}
KBUILD_HIP hipError_t hipDeviceSetLimit(int, std::size_t) {
    return hipSuccess;
}
KBUILD_HIP hipError_t hipDeviceSetCacheConfig(int) {
    return hipSuccess;
}
KBUILD_HIP hipError_t hipRuntimeGetVersion(int* version) {
    *version = KBUILD_HIP_MAJOR * 10000000 + 200000;
    return hipSuccess;
}
KBUILD_HIP hipError_t hipDriverGetVersion(int* version) {
    return hipRuntimeGetVersion(version);
}

KBUILD_HIP hipError_t hipGetLastError() {
    return runtime().last_error(true);
}
KBUILD_HIP hipError_t hipExtGetLastError() {
    return runtime().last_error(true);
}
KBUILD_HIP hipError_t hipPeekAtLastError() {
    return runtime().last_error(false);
}
KBUILD_HIP const char* hipGetErrorName(hipError_t code) {
    const ErrorName* const error = find_error(code);
    return error == nullptr ? "hipErrorUnknown" : error->name;
}
KBUILD_HIP const char* hipGetErrorString(hipError_t code) {
    const ErrorName* const error = find_error(code);
    return error == nullptr ? "unknown error" : error->text;
}
