#pragma once

// Functions of the stand-in libamdhip64 that the CUDA stand-in is made of.

#include "hip/bridge.hpp"
#include "hip/hip_api.hpp"

extern "C" {
hipError_t hipGetDeviceCount(int* count);
hipError_t hipGetDevice(int* device);
hipError_t hipSetDevice(int device);
hipError_t hipDeviceSynchronize();
hipError_t hipDeviceTotalMem(std::size_t* bytes, int device);
hipError_t hipDeviceGetAttribute(int* value, int attribute, int device);
hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest);

hipError_t hipMalloc(void** pointer, std::size_t bytes);
hipError_t hipHostMalloc(void** pointer, std::size_t bytes, unsigned flags);
hipError_t hipHostFree(void* pointer);
hipError_t hipHostRegister(void* pointer, std::size_t bytes, unsigned flags);
hipError_t hipHostUnregister(void* pointer);
hipError_t hipMallocManaged(void** pointer, std::size_t bytes, unsigned flags);
hipError_t hipMallocAsync(void** pointer, std::size_t bytes, hipStream_t stream);
hipError_t hipFreeAsync(void* pointer, hipStream_t stream);
hipError_t hipMemGetInfo(std::size_t* free_bytes, std::size_t* total);
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer);
hipError_t hipMemcpy(void* to, const void* from, std::size_t bytes, int kind);
hipError_t
hipMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, hipStream_t stream);
hipError_t hipMemcpy2DAsync(void* to,
                            std::size_t to_pitch,
                            const void* from,
                            std::size_t from_pitch,
                            std::size_t width,
                            std::size_t height,
                            int kind,
                            hipStream_t stream);
hipError_t hipMemset(void* to, int value, std::size_t bytes);
hipError_t hipMemsetAsync(void* to, int value, std::size_t bytes, hipStream_t stream);

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipStreamQuery(hipStream_t stream);
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags);
hipError_t hipStreamGetPriority(hipStream_t stream, int* priority);
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned* flags);
hipError_t hipLaunchHostFunc(hipStream_t stream, void (*call)(void*), void* data);
hipError_t hipStreamAddCallback(hipStream_t stream,
                                void (*call)(hipStream_t, hipError_t, void*),
                                void* data,
                                unsigned flags);
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags);
hipError_t hipEventDestroy(hipEvent_t event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream);
hipError_t hipEventSynchronize(hipEvent_t event);
hipError_t hipEventQuery(hipEvent_t event);
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop);

hipError_t hipGetLastError();
hipError_t hipPeekAtLastError();
const char* hipGetErrorName(hipError_t code);
const char* hipGetErrorString(hipError_t code);
}
