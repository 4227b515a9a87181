#include "hip/runtime.hpp"

#include <algorithm>

// What a kernel needs, and how many of its work-groups a compute unit holds.

using namespace kbuild::emulator;
using namespace kbuild::emulator::hip;

namespace {

constexpr std::size_t kLdsBytes = 65536;
constexpr int kUnits = 304;

Runtime& runtime() {
    return Runtime::instance();
}

hipFuncAttributes attributes_of(const Kernel& kernel) {
    hipFuncAttributes attributes{};
    attributes.binaryVersion = 90;
    attributes.ptxVersion = 90;
    attributes.localSizeBytes = kernel.scratch_bytes;
    attributes.maxDynamicSharedSizeBytes = static_cast<int>(kLdsBytes - kernel.lds_bytes);
    attributes.maxThreadsPerBlock = static_cast<int>(kernel.max_work_group);
    attributes.numRegs = static_cast<int>(kernel.registers);
    attributes.sharedSizeBytes = kernel.lds_bytes;
    return attributes;
}

/// By registers and LDS: 512 registers per lane of a SIMD, 4 SIMDs, 64 KiB, at most 8 waves a SIMD.
int blocks_per_unit(const Kernel& kernel, int threads, std::size_t lds) {
    const int waves = std::max((threads + 63) / 64, 1);
    const int by_registers =
        4 * static_cast<int>(512 / (kernel.registers == 0 ? 8 : kernel.registers));
    const int limit = std::min(by_registers, 32) / waves;
    const auto bytes = kernel.lds_bytes + lds;
    return bytes == 0 ? limit : std::min(limit, static_cast<int>(kLdsBytes / bytes));
}

/// The block size with the most waves in a unit; the larger of equal ones.
void best_block(const Kernel& kernel, std::size_t lds, int limit, int& grid, int& block) {
    const int largest = static_cast<int>(kernel.max_work_group);
    const int most = limit > 0 ? std::min(limit, largest) : largest;
    int waves = -1;
    for (int threads = most / 64 * 64 == 0 ? most : most / 64 * 64; threads > 0; threads -= 64) {
        const int blocks = blocks_per_unit(kernel, threads, lds);
        if (blocks * ((threads + 63) / 64) <= waves)
            continue;
        waves = blocks * ((threads + 63) / 64);
        block = threads;
        grid = blocks * kUnits;
    }
}

/// Calls `use(kernel)` for the kernel behind a host function, or of a module.
template <class F> hipError_t with_host_function(const void* host, F use) {
    ModuleAndKernel found;
    if (const hipError_t error = runtime().find_function(host, found); error != hipSuccess)
        return runtime().remember(error);
    return use(*found.kernel);
}
template <class F> hipError_t with_function(hipFunction_t handle, F use) {
    const auto found = runtime().function_of(handle);
    return found ? use(*found->kernel) : runtime().remember(hipErrorInvalidHandle);
}

} // namespace

KBUILD_HIP hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* host) {
    return with_host_function(host, [&](const Kernel& kernel) {
        *attributes = attributes_of(kernel);
        return hipSuccess;
    });
}
/// `attribute`: HIP's hipFunction_attribute, in its order.
KBUILD_HIP hipError_t hipFuncGetAttribute(int* value, int attribute, hipFunction_t handle) {
    return with_function(handle, [&](const Kernel& kernel) {
        const hipFuncAttributes all = attributes_of(kernel);
        const int values[] = {all.maxThreadsPerBlock,
                              static_cast<int>(all.sharedSizeBytes),
                              static_cast<int>(all.constSizeBytes),
                              static_cast<int>(all.localSizeBytes),
                              all.numRegs,
                              all.ptxVersion,
                              all.binaryVersion,
                              all.cacheModeCA,
                              all.maxDynamicSharedSizeBytes,
                              all.preferredShmemCarveout};
        if (value == nullptr || attribute < 0 || attribute >= 10)
            return runtime().remember(hipErrorInvalidValue);
        *value = values[attribute];
        return hipSuccess;
    });
}
KBUILD_HIP hipError_t hipFuncSetAttribute(const void*, int, int) {
    return hipSuccess;
}
KBUILD_HIP hipError_t hipFuncSetCacheConfig(const void*, int) {
    return hipSuccess;
}
KBUILD_HIP hipError_t hipFuncSetSharedMemConfig(const void*, int) {
    return hipSuccess;
}

KBUILD_HIP hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                   const void* host,
                                                                   int threads,
                                                                   std::size_t lds) {
    return with_host_function(host, [&](const Kernel& kernel) {
        *blocks = blocks_per_unit(kernel, threads, lds);
        return hipSuccess;
    });
}
KBUILD_HIP hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* host, int threads, std::size_t lds, unsigned) {
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, host, threads, lds);
}
KBUILD_HIP hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                                         hipFunction_t handle,
                                                                         int threads,
                                                                         std::size_t lds) {
    return with_function(handle, [&](const Kernel& kernel) {
        *blocks = blocks_per_unit(kernel, threads, lds);
        return hipSuccess;
    });
}
KBUILD_HIP hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, hipFunction_t handle, int threads, std::size_t lds, unsigned) {
    return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, handle, threads, lds);
}
KBUILD_HIP hipError_t hipOccupancyMaxPotentialBlockSize(
    int* grid, int* block, const void* host, std::size_t lds, int limit) {
    return with_host_function(host, [&](const Kernel& kernel) {
        best_block(kernel, lds, limit, *grid, *block);
        return hipSuccess;
    });
}
KBUILD_HIP hipError_t hipModuleOccupancyMaxPotentialBlockSize(
    int* grid, int* block, hipFunction_t handle, std::size_t lds, int limit) {
    return with_function(handle, [&](const Kernel& kernel) {
        best_block(kernel, lds, limit, *grid, *block);
        return hipSuccess;
    });
}
KBUILD_HIP hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(
    int* grid, int* block, hipFunction_t handle, std::size_t lds, int limit, unsigned) {
    return hipModuleOccupancyMaxPotentialBlockSize(grid, block, handle, lds, limit);
}
KBUILD_HIP hipError_t hipOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes,
                                                               const void* host,
                                                               int blocks,
                                                               int) {
    return with_host_function(host, [&](const Kernel& kernel) {
        const std::size_t share = kLdsBytes / static_cast<std::size_t>(std::max(blocks, 1));
        *bytes = share > kernel.lds_bytes ? share - kernel.lds_bytes : 0;
        return hipSuccess;
    });
}
