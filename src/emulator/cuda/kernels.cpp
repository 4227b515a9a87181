#include "cuda/cuda_api.hpp"

#include <mutex>
#include <string>
#include <unordered_map>

// CUDA kernels are remembered by name, and every launch is refused with it.

using namespace kbuild::emulator::cuda;

namespace {

/// Names by the host function that stands for a kernel; torch registers more than 20,000 while its
/// libraries are loaded.
class KernelNames {
  public:
    static KernelNames& instance() {
        static auto* const names = new KernelNames; // used while libraries are unloaded, too
        return *names;
    }
    void add(const void* host, const char* name) {
        const std::lock_guard lock(mutex_);
        names_[host] = name;
    }
    std::string of(const void* host) const {
        const std::lock_guard lock(mutex_);
        const auto found = names_.find(host);
        return found == names_.end() ? "(not registered)" : found->second;
    }

  private:
    mutable std::mutex mutex_;
    std::unordered_map<const void*, const char*> names_; ///< texts of the program
};

cudaError_t refuse(const void* host) {
    return refuse_kernel(KernelNames::instance().of(host).c_str());
}

} // namespace

// Names and parameters are those of CUDA's interface.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-function-size)

KBUILD_CUDA void** __cudaRegisterFatBinary(void*) {
    return new void*(nullptr);
}
KBUILD_CUDA void __cudaRegisterFatBinaryEnd(void**) {}
KBUILD_CUDA void __cudaUnregisterFatBinary(void** handle) {
    delete handle;
}
KBUILD_CUDA char __cudaInitModule(void**) {
    return 1;
}
KBUILD_CUDA void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
KBUILD_CUDA void __cudaRegisterFunction(
    void**, const void* host, char*, const char* name, int, void*, void*, void*, void*, int*) {
    KernelNames::instance().add(host, name);
}
KBUILD_CUDA cudaError_t __cudaPushCallConfiguration(dim3, dim3, std::size_t, void*) {
    return hipSuccess;
}
KBUILD_CUDA cudaError_t __cudaPopCallConfiguration(dim3* grid,
                                                   dim3* block,
                                                   std::size_t* lds,
                                                   void** stream) {
    *grid = *block = dim3{1, 1, 1};
    *lds = 0;
    *stream = nullptr;
    return hipSuccess;
}
KBUILD_CUDA cudaError_t __cudaGetKernel(const void** kernel, const void* host) {
    *kernel = host;
    return hipSuccess;
}
KBUILD_CUDA cudaError_t
__cudaLaunchKernel(const void* kernel, dim3, dim3, void**, std::size_t, void*) {
    return refuse(kernel);
}

// NOLINTEND(bugprone-reserved-identifier,readability-function-size)

KBUILD_CUDA cudaError_t cudaLaunchKernel(const void* host, dim3, dim3, void**, std::size_t, void*) {
    return refuse(host);
}
KBUILD_CUDA cudaError_t cudaLaunchKernelExC(const void*, const void* host, void**) {
    return refuse(host);
}
KBUILD_CUDA cudaError_t
cudaLaunchCooperativeKernel(const void* host, dim3, dim3, void**, std::size_t, void*) {
    return refuse(host);
}
