#include "hip/runtime.hpp"
#include "memory/address.hpp"

#include <fstream>
#include <iterator>

// Registration by the program's start-up code, launches and modules.

using namespace kbuild::emulator;
using namespace kbuild::emulator::hip;

namespace {

/// What clang puts into .hipFatBinSegment.
struct FatBinaryWrapper {
    std::uint32_t magic;
    std::uint32_t version;
    const void* binary;
    void* unused;
};

struct CallConfiguration {
    dim3 grid;
    dim3 block;
    std::size_t lds;
    hipStream_t stream;
};
thread_local std::vector<CallConfiguration> configurations;

Runtime& runtime() {
    return Runtime::instance();
}

hipError_t launch_host_function(const void* host, const LaunchRequest& request) {
    ModuleAndKernel found;
    if (const hipError_t error = runtime().find_function(host, found); error != hipSuccess)
        return runtime().remember(error);
    return runtime().launch(found, request);
}

/// `extra` is a list: 1, pointer, 2, pointer to size, 3.
std::string_view block_of(void** extra) {
    const void* data = nullptr;
    std::size_t bytes = 0;
    for (; extra != nullptr && reinterpret_cast<std::uintptr_t>(*extra) != 3; extra += 2) {
        if (reinterpret_cast<std::uintptr_t>(*extra) == 1)
            data = extra[1];
        else if (reinterpret_cast<std::uintptr_t>(*extra) == 2)
            bytes = *static_cast<const std::size_t*>(extra[1]);
    }
    return {static_cast<const char*>(data), data == nullptr ? 0 : bytes};
}

hipError_t launch_function(hipFunction_t handle,
                           dim3 grid,
                           dim3 block,
                           unsigned lds,
                           hipStream_t stream,
                           void** arguments,
                           void** extra) {
    const auto found = runtime().function_of(handle);
    if (!found)
        return runtime().remember(hipErrorInvalidHandle);
    LaunchRequest request{grid, block, lds, arguments, block_of(extra), stream};
    return runtime().launch(*found, request);
}

} // namespace

// Names and parameters are those of HIP's interface.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-function-size)

KBUILD_HIP void** __hipRegisterFatBinary(const void* data) {
    const auto* const wrapper = static_cast<const FatBinaryWrapper*>(data);
    return reinterpret_cast<void**>(runtime().register_binary(wrapper->binary));
}
KBUILD_HIP void __hipUnregisterFatBinary(void** binary) {
    runtime().unregister_binary(reinterpret_cast<FatBinary*>(binary));
}
KBUILD_HIP void __hipRegisterFunction(void** binary,
                                      const void* host,
                                      char*,
                                      const char* name,
                                      unsigned,
                                      void*,
                                      void*,
                                      void*,
                                      void*,
                                      int*) {
    runtime().register_function(host, {reinterpret_cast<FatBinary*>(binary), name});
}
KBUILD_HIP void
__hipRegisterVar(void** binary, void* host, char*, char* name, int, std::size_t bytes, int, int) {
    runtime().register_variable(host, {reinterpret_cast<FatBinary*>(binary), name, bytes});
}
KBUILD_HIP void __hipRegisterManagedVar(void*, void**, void*, const char*, std::size_t, unsigned) {
    not_supported("__hipRegisterManagedVar");
}
KBUILD_HIP void __hipRegisterTexture(void**, void*, char*, char*, int, int, int) {
    not_supported("__hipRegisterTexture");
}
KBUILD_HIP void __hipRegisterSurface(void**, void*, char*, char*, int, int) {
    not_supported("__hipRegisterSurface");
}

KBUILD_HIP hipError_t __hipPushCallConfiguration(dim3 grid,
                                                 dim3 block,
                                                 std::size_t lds,
                                                 hipStream_t stream) {
    configurations.push_back({grid, block, lds, stream});
    return hipSuccess;
}
KBUILD_HIP hipError_t __hipPopCallConfiguration(dim3* grid,
                                                dim3* block,
                                                std::size_t* lds,
                                                hipStream_t* stream) {
    if (configurations.empty())
        return hipErrorInvalidValue;
    const auto top = configurations.back();
    configurations.pop_back();
    *grid = top.grid;
    *block = top.block;
    *lds = top.lds;
    *stream = top.stream;
    return hipSuccess;
}

KBUILD_HIP hipError_t hipLaunchKernel(const void* host,
                                      dim3 grid,
                                      dim3 block,
                                      void** arguments,
                                      std::size_t lds,
                                      hipStream_t stream) {
    return launch_host_function(host, {grid, block, lds, arguments, {}, stream});
}
KBUILD_HIP hipError_t hipLaunchKernel_spt(const void* host,
                                          dim3 grid,
                                          dim3 block,
                                          void** arguments,
                                          std::size_t lds,
                                          hipStream_t stream) {
    return launch_host_function(host, {grid, block, lds, arguments, {}, stream});
}
KBUILD_HIP hipError_t hipExtLaunchKernel(const void* host,
                                         dim3 grid,
                                         dim3 block,
                                         void** arguments,
                                         std::size_t lds,
                                         hipStream_t stream,
                                         hipEvent_t,
                                         hipEvent_t,
                                         int) {
    return launch_host_function(host, {grid, block, lds, arguments, {}, stream});
}
KBUILD_HIP hipError_t hipModuleLaunchKernel(hipFunction_t function,
                                            unsigned gx,
                                            unsigned gy,
                                            unsigned gz,
                                            unsigned bx,
                                            unsigned by,
                                            unsigned bz,
                                            unsigned lds,
                                            hipStream_t stream,
                                            void** arguments,
                                            void** extra) {
    return launch_function(function, {gx, gy, gz}, {bx, by, bz}, lds, stream, arguments, extra);
}
/// Here the grid is counted in work-items.
KBUILD_HIP hipError_t hipExtModuleLaunchKernel(hipFunction_t function,
                                               unsigned gx,
                                               unsigned gy,
                                               unsigned gz,
                                               unsigned bx,
                                               unsigned by,
                                               unsigned bz,
                                               std::size_t lds,
                                               hipStream_t stream,
                                               void** arguments,
                                               void** extra,
                                               hipEvent_t,
                                               hipEvent_t,
                                               unsigned) {
    if (bx == 0 || by == 0 || bz == 0)
        return runtime().remember(hipErrorInvalidValue);
    return launch_function(function,
                           {gx / bx, gy / by, gz / bz},
                           {bx, by, bz},
                           static_cast<unsigned>(lds),
                           stream,
                           arguments,
                           extra);
}

// NOLINTEND(bugprone-reserved-identifier,readability-function-size)

KBUILD_HIP hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
    if (module == nullptr || image == nullptr)
        return runtime().remember(hipErrorInvalidValue);
    return runtime().remember(
        runtime().load_module(image_at(image), "a module from memory", *module));
}
KBUILD_HIP hipError_t
hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned, void*, void**) {
    return hipModuleLoadData(module, image);
}
KBUILD_HIP hipError_t hipModuleLoad(hipModule_t* module, const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return runtime().remember(hipErrorFileNotFound);
    const std::string bytes((std::istreambuf_iterator<char>(file)),
                            std::istreambuf_iterator<char>());
    return runtime().remember(runtime().load_module(bytes, path, *module));
}
KBUILD_HIP hipError_t hipModuleUnload(hipModule_t module) {
    return runtime().remember(runtime().unload_module(module));
}
KBUILD_HIP hipError_t hipModuleGetFunction(hipFunction_t* function,
                                           hipModule_t handle,
                                           const char* name) {
    const Module* const module = runtime().module_of(handle);
    const Kernel* const kernel = module == nullptr ? nullptr : module->find_kernel(name);
    if (kernel == nullptr)
        return runtime().remember(module == nullptr ? hipErrorInvalidHandle : hipErrorNotFound);
    *function = runtime().function_handle(*module, *kernel);
    return hipSuccess;
}
KBUILD_HIP hipError_t hipGetFuncBySymbol(hipFunction_t* function, const void* host) {
    ModuleAndKernel found;
    if (const hipError_t error = runtime().find_function(host, found); error != hipSuccess)
        return runtime().remember(error);
    *function = runtime().function_handle(*found.module, *found.kernel);
    return hipSuccess;
}
KBUILD_HIP hipError_t hipModuleGetGlobal(hipDeviceptr_t* address,
                                         std::size_t* bytes,
                                         hipModule_t handle,
                                         const char* name) {
    const Module* const module = runtime().module_of(handle);
    const Variable* const variable = module == nullptr ? nullptr : module->find_variable(name);
    if (variable == nullptr)
        return runtime().remember(hipErrorNotFound);
    if (address != nullptr)
        *address = pointer_to(variable->address);
    if (bytes != nullptr)
        *bytes = variable->bytes;
    return hipSuccess;
}
