#include "cuda/cuda_api.hpp"
#include "cuda/hip_calls.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

// What does not exist on the emulated device says so by name and fails. Nothing here answers
// "success" for work that was not done.

namespace kbuild::emulator::cuda {
namespace {

thread_local std::string refusal;

/// Remembers the code where hipGetLastError looks for it: there is one place for both interfaces.
void remember_as_last(cudaError_t error) {
    kbuild_device_set_last_error(error);
}

} // namespace

cudaError_t remember(cudaError_t error) {
    if (error != hipSuccess)
        remember_as_last(error);
    return error;
}

cudaError_t not_supported(const char* function, const char* library) {
    static std::mutex mutex;
    static std::set<std::string> named;
    refusal = fmt::format("`{}` of {} does not exist on the emulated device", function, library);
    const std::lock_guard lock(mutex);
    if (named.insert(function).second && std::getenv("KBUILD_EMULATE_TRACE") != nullptr)
        fmt::print(stderr, "kbuild emulate: {}\n", refusal);
    // Only the runtime's own failures are what cudaGetLastError tells: the driver's and other
    // libraries' would be taken for those of the next launch.
    return std::string_view(library).starts_with("libcudart") ? remember(hipErrorNotSupported)
                                                              : hipErrorNotSupported;
}

cudaError_t refuse_kernel(const char* name) {
    refusal = fmt::format("the CUDA kernel `{}` cannot run on the emulated MI300X: it is NVIDIA's "
                          "code, and torch has no kernel for the CPU that could stand in for it",
                          name);
    return remember(cudaErrorNoKernelImageForDevice);
}

const char* last_refusal() {
    return refusal.c_str();
}

} // namespace kbuild::emulator::cuda

/// What the generated stand-ins for NVIDIA's other libraries call, each function with its name.
/// Their error codes differ; any but 0 is a failure.
KBUILD_CUDA int kbuild_cuda_refuse(const char* function, const char* library) {
    return kbuild::emulator::cuda::not_supported(function, library);
}
