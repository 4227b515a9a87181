#include "hip/runtime.hpp"

// Streams and events. What a stream gets is done at once; hip/streams.hpp follows the order that a
// GPU would have to keep.

using namespace kbuild::emulator;
using namespace kbuild::emulator::hip;

namespace {

Runtime& runtime() {
    return Runtime::instance();
}
Streams& streams() {
    return runtime().streams();
}
std::optional<StreamInfo> info_of(hipStream_t stream) {
    return streams().find(stream, Runtime::current_device());
}

hipError_t make_stream(hipStream_t* stream, unsigned flags, int priority) {
    if (stream == nullptr)
        return runtime().remember(hipErrorInvalidValue);
    *stream = streams().create(Runtime::current_device(), flags, priority);
    return hipSuccess;
}
hipError_t make_event(hipEvent_t* event) {
    if (event == nullptr)
        return runtime().remember(hipErrorInvalidValue);
    *event = new EventInfo;
    return hipSuccess;
}
EventInfo& event_of(hipEvent_t event) {
    return *static_cast<EventInfo*>(event);
}
/// Calls `use` with the stream; the error for a handle that is none.
template <class Use> hipError_t with_stream(hipStream_t stream, Use use) {
    const auto info = info_of(stream);
    if (!info)
        return runtime().remember(hipErrorInvalidHandle);
    use(*info);
    return hipSuccess;
}

} // namespace

KBUILD_HIP hipError_t hipStreamCreate(hipStream_t* stream) {
    return make_stream(stream, 0, 0);
}
KBUILD_HIP hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
    return make_stream(stream, flags, 0);
}
KBUILD_HIP hipError_t hipStreamCreateWithPriority(hipStream_t* stream,
                                                  unsigned flags,
                                                  int priority) {
    return make_stream(stream, flags, priority);
}
KBUILD_HIP hipError_t hipStreamDestroy(hipStream_t stream) {
    return streams().destroy(stream) ? hipSuccess : runtime().remember(hipErrorInvalidHandle);
}
KBUILD_HIP hipError_t hipStreamSynchronize(hipStream_t stream) {
    return with_stream(stream, [](const auto& info) { streams().host_waits_for_stream(info); });
}
/// The answer is always that all is done, so whoever asks knows it.
KBUILD_HIP hipError_t hipStreamQuery(hipStream_t stream) {
    return hipStreamSynchronize(stream);
}
KBUILD_HIP hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned) {
    return with_stream(stream, [&](const auto& info) { streams().wait(info, event_of(event)); });
}
KBUILD_HIP hipError_t hipStreamGetFlags(hipStream_t stream, unsigned* flags) {
    return with_stream(stream, [&](const auto& info) { *flags = info.flags; });
}
KBUILD_HIP hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
    return with_stream(stream, [&](const auto& info) { *priority = info.priority; });
}
KBUILD_HIP hipError_t hipStreamGetDevice(hipStream_t stream, int* device) {
    return with_stream(stream, [&](const auto& info) { *device = info.device; });
}
KBUILD_HIP hipError_t hipStreamIsCapturing(hipStream_t, int* status) {
    *status = 0;
    return hipSuccess;
}
KBUILD_HIP hipError_t hipStreamAddCallback(hipStream_t stream,
                                           void (*call)(hipStream_t, hipError_t, void*),
                                           void* data,
                                           unsigned) {
    call(stream, hipSuccess, data);
    return hipSuccess;
}
KBUILD_HIP hipError_t hipLaunchHostFunc(hipStream_t, void (*call)(void*), void* data) {
    call(data);
    return hipSuccess;
}

KBUILD_HIP hipError_t hipEventCreate(hipEvent_t* event) {
    return make_event(event);
}
KBUILD_HIP hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned) {
    return make_event(event);
}
KBUILD_HIP hipError_t hipEventDestroy(hipEvent_t event) {
    delete static_cast<EventInfo*>(event);
    return hipSuccess;
}
KBUILD_HIP hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
    return with_stream(stream, [&](const auto& info) { streams().record(event_of(event), info); });
}
KBUILD_HIP hipError_t hipEventSynchronize(hipEvent_t event) {
    streams().host_waits_for(event_of(event));
    return hipSuccess;
}
KBUILD_HIP hipError_t hipEventQuery(hipEvent_t event) {
    return hipEventSynchronize(event);
}
/// Time on the host: says nothing about an MI300X.
KBUILD_HIP hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
    const timespec& a = event_of(start).time;
    const timespec& b = event_of(stop).time;
    *milliseconds = static_cast<float>(static_cast<double>(b.tv_sec - a.tv_sec) * 1e3 +
                                       static_cast<double>(b.tv_nsec - a.tv_nsec) / 1e6);
    return hipSuccess;
}
