#include "hip/runtime.hpp"
#include "memory/address.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

// Memory: device addresses are host addresses, and every operation is done when its call returns.
// What a GPU would do later is followed by the order of streams (stream_order.hpp).

using namespace kbuild::emulator;
using namespace kbuild::emulator::hip;

namespace {

Runtime& runtime() {
    return Runtime::instance();
}
Device& device() {
    return runtime().device();
}

hipError_t allocate(void** pointer, std::size_t bytes, MemoryKind kind) {
    if (pointer == nullptr)
        return runtime().remember(hipErrorInvalidValue);
    *pointer = bytes == 0 ? nullptr : device().allocate(bytes, kind, Runtime::current_device());
    return *pointer == nullptr && bytes != 0 ? runtime().remember(hipErrorOutOfMemory) : hipSuccess;
}

hipError_t release(void* pointer) {
    if (pointer == nullptr)
        return hipSuccess;
    if (!device().release(pointer))
        return runtime().remember(hipErrorInvalidValue);
    runtime().streams().forget(reinterpret_cast<std::uint64_t>(pointer));
    return hipSuccess;
}

/// hipFree waits for what the device does.
hipError_t release_after_all(void* pointer) {
    const auto range = device().find(pointer);
    if (range.bytes != 0)
        runtime().streams().host_waits_for_device(range.ordinal);
    return release(pointer);
}

/// Where an operation runs, and whether the host waits for it.
struct Place {
    hipStream_t stream = nullptr;
    bool waits = false;
};
constexpr Place kNullStreamAndWait{nullptr, true};
constexpr Place kNullStream{nullptr, false};

hipError_t start(const Place& place, const char* name, const std::vector<MemoryAccess>& accesses) {
    if (!runtime().operate(place.stream, name, accesses))
        return runtime().remember(hipErrorInvalidHandle);
    if (place.waits)
        runtime().streams().host_waits_for_stream(
            *runtime().streams().find(place.stream, Runtime::current_device()));
    return hipSuccess;
}

/// Whether all bytes lie in one allocation, if the address is in one at all.
bool fits(const void* address, std::size_t bytes) {
    const auto range = device().find(address);
    return range.bytes == 0 ||
           reinterpret_cast<std::uint64_t>(address) + bytes <= range.address + range.bytes;
}

hipError_t copy(void* to, const void* from, std::size_t bytes, Place place) {
    if (bytes == 0)
        return hipSuccess;
    if (to == nullptr || from == nullptr || !fits(to, bytes) || !fits(from, bytes)) {
        fmt::print(stderr,
                   "kbuild emulate: a copy of {} bytes runs over the end of an allocation, or an "
                   "address is null\n",
                   bytes);
        return runtime().remember(hipErrorInvalidValue);
    }
    auto accesses = runtime().access_to(from, bytes, false);
    const auto written = runtime().access_to(to, bytes, true);
    // A copy to host memory that the runtime does not know is done when the call returns.
    place.waits = place.waits || (written.empty() && !accesses.empty());
    accesses.insert(accesses.end(), written.begin(), written.end());
    if (const hipError_t error = start(place, "copy", accesses); error != hipSuccess)
        return error;
    std::memmove(to, from, bytes);
    device().copy_defined(to, from, bytes);
    return hipSuccess;
}

hipError_t copy_rows(void* to,
                     std::size_t to_pitch,
                     const void* from,
                     std::size_t from_pitch,
                     std::size_t width,
                     std::size_t height,
                     Place place) {
    for (std::size_t row = 0; row < height; ++row)
        if (const hipError_t error = copy(static_cast<char*>(to) + row * to_pitch,
                                          static_cast<const char*>(from) + row * from_pitch,
                                          width,
                                          place);
            error != hipSuccess)
            return error;
    return hipSuccess;
}

template <class T> hipError_t fill(void* to, T value, std::size_t count, Place place) {
    if (count == 0)
        return hipSuccess;
    if (to == nullptr || !fits(to, count * sizeof(T))) {
        fmt::print(stderr,
                   "kbuild emulate: setting {} bytes runs over the end of an allocation, or the "
                   "address is null\n",
                   count * sizeof(T));
        return runtime().remember(hipErrorInvalidValue);
    }
    if (const hipError_t error =
            start(place, "fill", runtime().access_to(to, count * sizeof(T), true));
        error != hipSuccess)
        return error;
    auto* const bytes = static_cast<char*>(to);
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(bytes + i * sizeof(T), &value, sizeof value);
    device().mark_defined(to, count * sizeof(T));
    return hipSuccess;
}

hipError_t set_bytes(void* to, int value, std::size_t bytes, Place place) {
    return fill(to, static_cast<unsigned char>(value), bytes, place);
}

hipError_t set_rows(
    void* to, std::size_t pitch, int value, std::size_t width, std::size_t height, Place place) {
    for (std::size_t row = 0; row < height; ++row)
        if (const hipError_t error =
                set_bytes(static_cast<char*>(to) + row * pitch, value, width, place);
            error != hipSuccess)
            return error;
    return hipSuccess;
}

hipError_t symbol(const void* host, std::size_t offset, std::size_t bytes, char*& address) {
    const auto variable = runtime().find_variable(host);
    if (!variable || offset + bytes > variable->bytes)
        return runtime().remember(variable ? hipErrorInvalidValue : hipErrorInvalidSymbol);
    address = reinterpret_cast<char*>(pointer_to(variable->address)) + offset;
    return hipSuccess;
}

hipError_t copy_to_symbol(
    const void* host, const void* from, std::size_t bytes, std::size_t offset, Place place) {
    char* address = nullptr;
    const hipError_t error = symbol(host, offset, bytes, address);
    return error == hipSuccess ? copy(address, from, bytes, place) : error;
}

hipError_t
copy_from_symbol(void* to, const void* host, std::size_t bytes, std::size_t offset, Place place) {
    char* address = nullptr;
    const hipError_t error = symbol(host, offset, bytes, address);
    return error == hipSuccess ? copy(to, address, bytes, place) : error;
}

} // namespace

KBUILD_HIP hipError_t hipMalloc(void** pointer, std::size_t bytes) {
    return allocate(pointer, bytes, MemoryKind::device);
}
KBUILD_HIP hipError_t hipMallocAsync(void** pointer, std::size_t bytes, hipStream_t) {
    return allocate(pointer, bytes, MemoryKind::device);
}
KBUILD_HIP hipError_t hipExtMallocWithFlags(void** pointer, std::size_t bytes, unsigned) {
    return allocate(pointer, bytes, MemoryKind::device);
}
KBUILD_HIP hipError_t hipMallocManaged(void** pointer, std::size_t bytes, unsigned) {
    return allocate(pointer, bytes, MemoryKind::managed);
}
KBUILD_HIP hipError_t hipHostMalloc(void** pointer, std::size_t bytes, unsigned) {
    return allocate(pointer, bytes, MemoryKind::host);
}
KBUILD_HIP hipError_t hipHostAlloc(void** pointer, std::size_t bytes, unsigned) {
    return allocate(pointer, bytes, MemoryKind::host);
}
KBUILD_HIP hipError_t hipMallocHost(void** pointer, std::size_t bytes) {
    return allocate(pointer, bytes, MemoryKind::host);
}
KBUILD_HIP hipError_t hipMallocPitch(void** pointer,
                                     std::size_t* pitch,
                                     std::size_t width,
                                     std::size_t height) {
    *pitch = (width + 255) / 256 * 256;
    return allocate(pointer, *pitch * height, MemoryKind::device);
}
KBUILD_HIP hipError_t hipFree(void* pointer) {
    return release_after_all(pointer);
}
KBUILD_HIP hipError_t hipFreeAsync(void* pointer, hipStream_t stream) {
    const auto range = device().find(pointer);
    const hipError_t error =
        start({stream, false}, "hipFreeAsync", runtime().access_to(pointer, range.bytes, true));
    return error == hipSuccess ? release(pointer) : error;
}
KBUILD_HIP hipError_t hipHostFree(void* pointer) {
    return release_after_all(pointer);
}
KBUILD_HIP hipError_t hipFreeHost(void* pointer) {
    return release_after_all(pointer);
}
KBUILD_HIP hipError_t hipHostRegister(void* pointer, std::size_t bytes, unsigned) {
    device().adopt(pointer, bytes, MemoryKind::host, "registered by the program");
    return hipSuccess;
}
KBUILD_HIP hipError_t hipHostUnregister(void* pointer) {
    device().forget(pointer);
    return hipSuccess;
}
KBUILD_HIP hipError_t hipHostGetDevicePointer(void** pointer, void* host, unsigned) {
    *pointer = host;
    return hipSuccess;
}
KBUILD_HIP hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes,
                                              const void* pointer) {
    const auto range = device().find(pointer);
    *attributes = {};
    if (range.bytes == 0)
        return hipSuccess;
    const bool on_host = range.kind == MemoryKind::host;
    attributes->type = range.kind == MemoryKind::managed ? 3 : on_host ? 1 : 2;
    attributes->device = range.ordinal;
    attributes->devicePointer = const_cast<void*>(pointer);
    attributes->hostPointer =
        on_host || range.kind == MemoryKind::managed ? const_cast<void*>(pointer) : nullptr;
    attributes->isManaged = range.kind == MemoryKind::managed ? 1 : 0;
    return hipSuccess;
}
KBUILD_HIP hipError_t hipMemGetAddressRange(hipDeviceptr_t* base,
                                            std::size_t* bytes,
                                            hipDeviceptr_t pointer) {
    const auto range = device().find(pointer);
    if (range.bytes == 0)
        return runtime().remember(hipErrorInvalidValue);
    *base = pointer_to(range.address);
    *bytes = range.bytes;
    return hipSuccess;
}
KBUILD_HIP hipError_t hipMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
    *total = device().options().memory;
    *free_bytes = *total - device().bytes_in_use(Runtime::current_device());
    return hipSuccess;
}
KBUILD_HIP hipError_t hipMemPrefetchAsync(const void*, std::size_t, int, hipStream_t) {
    return hipSuccess;
}
KBUILD_HIP hipError_t hipMemAdvise(const void*, std::size_t, int, int) {
    return hipSuccess;
}

KBUILD_HIP hipError_t hipMemcpy(void* to, const void* from, std::size_t bytes, int) {
    return copy(to, from, bytes, kNullStreamAndWait);
}
KBUILD_HIP hipError_t
hipMemcpyAsync(void* to, const void* from, std::size_t bytes, int, hipStream_t stream) {
    return copy(to, from, bytes, {stream, false});
}
KBUILD_HIP hipError_t
hipMemcpyWithStream(void* to, const void* from, std::size_t bytes, int, hipStream_t stream) {
    return copy(to, from, bytes, {stream, true});
}
KBUILD_HIP hipError_t hipMemcpyHtoD(hipDeviceptr_t to, void* from, std::size_t bytes) {
    return copy(to, from, bytes, kNullStreamAndWait);
}
KBUILD_HIP hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, std::size_t bytes) {
    return copy(to, from, bytes, kNullStreamAndWait);
}
KBUILD_HIP hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, std::size_t bytes) {
    return copy(to, from, bytes, kNullStreamAndWait);
}
KBUILD_HIP hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to,
                                         const void* from,
                                         std::size_t bytes,
                                         hipStream_t stream) {
    return copy(to, from, bytes, {stream, false});
}
KBUILD_HIP hipError_t hipMemcpyDtoHAsync(void* to,
                                         hipDeviceptr_t from,
                                         std::size_t bytes,
                                         hipStream_t stream) {
    return copy(to, from, bytes, {stream, false});
}
KBUILD_HIP hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to,
                                         hipDeviceptr_t from,
                                         std::size_t bytes,
                                         hipStream_t stream) {
    return copy(to, from, bytes, {stream, false});
}
KBUILD_HIP hipError_t hipMemcpy2D(void* to,
                                  std::size_t to_pitch,
                                  const void* from,
                                  std::size_t from_pitch,
                                  std::size_t width,
                                  std::size_t height,
                                  int) {
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kNullStreamAndWait);
}
KBUILD_HIP hipError_t hipMemcpy2DAsync(void* to,
                                       std::size_t to_pitch,
                                       const void* from,
                                       std::size_t from_pitch,
                                       std::size_t width,
                                       std::size_t height,
                                       int,
                                       hipStream_t stream) {
    return copy_rows(to, to_pitch, from, from_pitch, width, height, {stream, false});
}
KBUILD_HIP hipError_t hipMemset(void* to, int value, std::size_t bytes) {
    return set_bytes(to, value, bytes, kNullStream);
}
KBUILD_HIP hipError_t hipMemsetAsync(void* to, int value, std::size_t bytes, hipStream_t stream) {
    return set_bytes(to, value, bytes, {stream, false});
}
KBUILD_HIP hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, std::size_t count) {
    return fill(to, value, count, kNullStream);
}
KBUILD_HIP hipError_t hipMemsetD8Async(hipDeviceptr_t to,
                                       unsigned char value,
                                       std::size_t count,
                                       hipStream_t stream) {
    return fill(to, value, count, {stream, false});
}
KBUILD_HIP hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, std::size_t count) {
    return fill(to, value, count, kNullStream);
}
KBUILD_HIP hipError_t hipMemsetD16Async(hipDeviceptr_t to,
                                        unsigned short value,
                                        std::size_t count,
                                        hipStream_t stream) {
    return fill(to, value, count, {stream, false});
}
KBUILD_HIP hipError_t hipMemsetD32(hipDeviceptr_t to, int value, std::size_t count) {
    return fill(to, value, count, kNullStream);
}
KBUILD_HIP hipError_t hipMemsetD32Async(hipDeviceptr_t to,
                                        int value,
                                        std::size_t count,
                                        hipStream_t stream) {
    return fill(to, value, count, {stream, false});
}
KBUILD_HIP hipError_t
hipMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return set_rows(to, pitch, value, width, height, kNullStream);
}
KBUILD_HIP hipError_t hipMemset2DAsync(void* to,
                                       std::size_t pitch,
                                       int value,
                                       std::size_t width,
                                       std::size_t height,
                                       hipStream_t stream) {
    return set_rows(to, pitch, value, width, height, {stream, false});
}
KBUILD_HIP hipError_t hipMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
    return copy(to, from, bytes, kNullStreamAndWait);
}
KBUILD_HIP hipError_t
hipMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, hipStream_t stream) {
    return copy(to, from, bytes, {stream, false});
}

KBUILD_HIP hipError_t hipGetSymbolAddress(void** pointer, const void* host) {
    char* address = nullptr;
    const hipError_t error = symbol(host, 0, 0, address);
    *pointer = address;
    return error;
}
KBUILD_HIP hipError_t hipGetSymbolSize(std::size_t* bytes, const void* host) {
    const auto variable = runtime().find_variable(host);
    if (!variable)
        return runtime().remember(hipErrorInvalidSymbol);
    *bytes = variable->bytes;
    return hipSuccess;
}
KBUILD_HIP hipError_t
hipMemcpyToSymbol(const void* host, const void* from, std::size_t bytes, std::size_t offset, int) {
    return copy_to_symbol(host, from, bytes, offset, kNullStreamAndWait);
}
KBUILD_HIP hipError_t
hipMemcpyFromSymbol(void* to, const void* host, std::size_t bytes, std::size_t offset, int) {
    return copy_from_symbol(to, host, bytes, offset, kNullStreamAndWait);
}
KBUILD_HIP hipError_t hipMemcpyToSymbolAsync(const void* host,
                                             const void* from,
                                             std::size_t bytes,
                                             std::size_t offset,
                                             int,
                                             hipStream_t stream) {
    return copy_to_symbol(host, from, bytes, offset, {stream, false});
}
KBUILD_HIP hipError_t hipMemcpyFromSymbolAsync(
    void* to, const void* host, std::size_t bytes, std::size_t offset, int, hipStream_t stream) {
    return copy_from_symbol(to, host, bytes, offset, {stream, false});
}
