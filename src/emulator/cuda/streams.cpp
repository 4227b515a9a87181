#include "cuda/cuda_api.hpp"
#include "cuda/hip_calls.hpp"

// Streams and events are those of the HIP stand-in, so a binding's stream is torch's.

KBUILD_CUDA cudaError_t cudaStreamCreate(hipStream_t* stream) {
    return hipStreamCreateWithPriority(stream, 0, 0);
}
KBUILD_CUDA cudaError_t cudaStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
    return hipStreamCreateWithPriority(stream, flags, 0);
}
KBUILD_CUDA cudaError_t cudaStreamCreateWithPriority(hipStream_t* stream,
                                                     unsigned flags,
                                                     int priority) {
    return hipStreamCreateWithPriority(stream, flags, priority);
}
KBUILD_CUDA cudaError_t cudaStreamDestroy(hipStream_t stream) {
    return hipStreamDestroy(stream);
}
KBUILD_CUDA cudaError_t cudaStreamSynchronize(hipStream_t stream) {
    return hipStreamSynchronize(stream);
}
KBUILD_CUDA cudaError_t cudaStreamQuery(hipStream_t stream) {
    return hipStreamQuery(stream);
}
KBUILD_CUDA cudaError_t cudaStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
    return hipStreamWaitEvent(stream, event, flags);
}
KBUILD_CUDA cudaError_t cudaStreamGetPriority(hipStream_t stream, int* priority) {
    return hipStreamGetPriority(stream, priority);
}
KBUILD_CUDA cudaError_t cudaStreamGetFlags(hipStream_t stream, unsigned* flags) {
    return hipStreamGetFlags(stream, flags);
}
KBUILD_CUDA cudaError_t cudaStreamAddCallback(hipStream_t stream,
                                              void (*call)(hipStream_t, cudaError_t, void*),
                                              void* data,
                                              unsigned flags) {
    return hipStreamAddCallback(stream, call, data, flags);
}
KBUILD_CUDA cudaError_t cudaLaunchHostFunc(hipStream_t stream, void (*call)(void*), void* data) {
    return hipLaunchHostFunc(stream, call, data);
}

// No stream is ever being captured: what begins a capture is refused.
KBUILD_CUDA cudaError_t cudaStreamIsCapturing(hipStream_t, int* status) {
    *status = 0;
    return hipSuccess;
}
KBUILD_CUDA cudaError_t cudaStreamGetCaptureInfo(hipStream_t,
                                                 int* status,
                                                 unsigned long long* id,
                                                 void**,
                                                 const void**,
                                                 const void**,
                                                 std::size_t* count) {
    *status = 0;
    if (id != nullptr)
        *id = 0;
    if (count != nullptr)
        *count = 0;
    return hipSuccess;
}
KBUILD_CUDA cudaError_t cudaThreadExchangeStreamCaptureMode(int*) {
    return hipSuccess;
}

KBUILD_CUDA cudaError_t cudaEventCreate(hipEvent_t* event) {
    return hipEventCreateWithFlags(event, 0);
}
KBUILD_CUDA cudaError_t cudaEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
    return hipEventCreateWithFlags(event, flags);
}
KBUILD_CUDA cudaError_t cudaEventDestroy(hipEvent_t event) {
    return hipEventDestroy(event);
}
KBUILD_CUDA cudaError_t cudaEventRecord(hipEvent_t event, hipStream_t stream) {
    return hipEventRecord(event, stream);
}
KBUILD_CUDA cudaError_t cudaEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned) {
    return hipEventRecord(event, stream);
}
KBUILD_CUDA cudaError_t cudaEventQuery(hipEvent_t event) {
    return hipEventQuery(event);
}
KBUILD_CUDA cudaError_t cudaEventSynchronize(hipEvent_t event) {
    return hipEventSynchronize(event);
}
KBUILD_CUDA cudaError_t cudaEventElapsedTime(float* milliseconds,
                                             hipEvent_t start,
                                             hipEvent_t stop) {
    return hipEventElapsedTime(milliseconds, start, stop);
}
