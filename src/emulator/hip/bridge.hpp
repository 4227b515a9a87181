#pragma once

// What other stand-ins and the Python package beside them call in the stand-in libamdhip64 besides
// HIP's own functions: a C interface, since they find it by name.

#include "hip/hip_api.hpp"

extern "C" {

/// A part of memory that an operation reads or writes.
struct kbuild_device_access {
    const void* address;
    std::size_t bytes;
    int write; ///< 0: read, 1: written
};

/// From now on `handler` is called with each finding, on the thread that launched, and answers for
/// it: nothing is printed and the program's exit code stays. Null takes that back.
void kbuild_device_on_finding(void (*handler)(const char* check, const char* text));

/// The host did on behalf of `stream`, which belongs to device `ordinal`, what a GPU would do
/// there: the order of streams is followed, what is written is defined from now on. Returns how
/// many of the bytes that were read nobody had written.
std::uint64_t kbuild_device_operation(const char* name,
                                      hipStream_t stream,
                                      int ordinal,
                                      const kbuild_device_access* accesses,
                                      std::size_t count);

/// As hipFree, which waits for the device; this does not, as a caching allocator doesn't.
hipError_t kbuild_device_release(void* pointer);

/// What hipGetLastError will say on this thread.
void kbuild_device_set_last_error(hipError_t error);

/// The line about what ran and how far it can be trusted. Valid until the next call.
const char* kbuild_device_summary();

/// How many kernels were launched in all.
std::uint64_t kbuild_device_launches();
}
