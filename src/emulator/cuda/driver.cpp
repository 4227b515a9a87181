#include "cuda/cuda_api.hpp"
#include "cuda/hip_calls.hpp"

#include <cstring>

// The few functions of the driver's interface (libcuda.so.1) that torch asks for before anything
// else. The runtime hands out its functions by name.

using namespace kbuild::emulator::cuda;

namespace {

constexpr CUresult kSuccess = 0;
constexpr CUresult kInvalidDevice = 101;

CUresult refuse_driver_function() {
    return not_supported("a function of the driver's interface", "libcuda.so.1");
}

} // namespace

KBUILD_CUDA CUresult cuInit(unsigned) {
    return kSuccess;
}
KBUILD_CUDA CUresult cuDriverGetVersion(int* version) {
    *version = 13000;
    return kSuccess;
}
KBUILD_CUDA CUresult cuDeviceGetCount(int* count) {
    return hipGetDeviceCount(count);
}
KBUILD_CUDA CUresult cuDeviceGet(int* device, int ordinal) {
    int count = 0;
    if (hipGetDeviceCount(&count) != hipSuccess || ordinal < 0 || ordinal >= count)
        return kInvalidDevice;
    *device = ordinal;
    return kSuccess;
}
/// torch asks whether a device is in use already, before it makes a context there by chance.
KBUILD_CUDA CUresult cuDevicePrimaryCtxGetState(int, unsigned* flags, int* active) {
    *flags = 0;
    *active = 1;
    return kSuccess;
}
KBUILD_CUDA CUresult cuGetErrorString(CUresult error, const char** text) {
    *text = *last_refusal() != '\0' ? last_refusal() : hipGetErrorString(error);
    return kSuccess;
}

KBUILD_CUDA cudaError_t cudaGetDriverEntryPointByVersion(
    const char* name, void** function, unsigned, unsigned long long, int* status) {
    *function = reinterpret_cast<void*>(&refuse_driver_function);
    if (std::strcmp(name, "cuGetErrorString") == 0)
        *function = reinterpret_cast<void*>(&cuGetErrorString);
    else if (std::strcmp(name, "cuDeviceGet") == 0)
        *function = reinterpret_cast<void*>(&cuDeviceGet);
    if (status != nullptr)
        *status = 0;
    return hipSuccess;
}
