#pragma once

// The part of HIP's C interface that the stand-in implements, declared here: it is built without
// ROCm. Values and layouts are those of HIP 6.4 and 7.2, which agree in all that is used.

#include <cstddef>
#include <cstdint>

#define KBUILD_HIP extern "C" __attribute__((visibility("default")))

using hipError_t = int;
inline constexpr hipError_t hipSuccess = 0;
inline constexpr hipError_t hipErrorInvalidValue = 1;
inline constexpr hipError_t hipErrorOutOfMemory = 2;
inline constexpr hipError_t hipErrorInvalidConfiguration = 9;
inline constexpr hipError_t hipErrorInvalidSymbol = 13;
inline constexpr hipError_t hipErrorInvalidDeviceFunction = 98;
inline constexpr hipError_t hipErrorInvalidDevice = 101;
inline constexpr hipError_t hipErrorInvalidImage = 200;
inline constexpr hipError_t hipErrorNoBinaryForGpu = 209;
inline constexpr hipError_t hipErrorFileNotFound = 301;
inline constexpr hipError_t hipErrorInvalidHandle = 400;
inline constexpr hipError_t hipErrorNotFound = 500;
inline constexpr hipError_t hipErrorLaunchFailure = 719;
inline constexpr hipError_t hipErrorNotSupported = 801;

inline constexpr int hipMemcpyDeviceToDevice = 3;

struct dim3 {
    std::uint32_t x, y, z;
};

// Handles. A stream is a number, an event the time it was recorded at, a module and a function what
// runtime.hpp says.
using hipStream_t = void*;
using hipEvent_t = void*;
using hipModule_t = void*;
using hipFunction_t = void*;
using hipDeviceptr_t = void*;

struct hipPointerAttribute_t {
    int type; ///< 0 unregistered, 1 host, 2 device, 3 managed
    int device;
    void* devicePointer;
    void* hostPointer;
    int isManaged;
    unsigned allocationFlags;
};

struct hipFuncAttributes {
    int binaryVersion;
    int cacheModeCA;
    std::size_t constSizeBytes;
    std::size_t localSizeBytes;
    int maxDynamicSharedSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int preferredShmemCarveout;
    int ptxVersion;
    std::size_t sharedSizeBytes;
};
