#pragma once

// The part of CUDA 13's C interface that a published torch wheel calls, declared here: nothing of
// NVIDIA's is needed to build it. Everything is done by the stand-in libamdhip64 of the same
// folder, whose streams, events and memory these handles are, so a torch that was built for CUDA
// and a HIP kernel see one device. Error codes are the same numbers in both interfaces.

#include "hip/hip_api.hpp"

#include <cstddef>
#include <cstdint>

#define KBUILD_CUDA extern "C" __attribute__((visibility("default")))

using cudaError_t = int;
using CUresult = int;
inline constexpr cudaError_t cudaErrorNoKernelImageForDevice = 209;

namespace kbuild::emulator::cuda {

/// Says once per name that there is no such function, and remembers the error.
cudaError_t not_supported(const char* function, const char* library);

/// Remembers that a CUDA kernel cannot run; the text of error 209 names it from then on.
cudaError_t refuse_kernel(const char* name);

/// What the last refusal on this thread was about; empty if there was none.
const char* last_refusal();

/// Remembers an error for cudaGetLastError, which is hipGetLastError.
cudaError_t remember(cudaError_t error);

} // namespace kbuild::emulator::cuda
