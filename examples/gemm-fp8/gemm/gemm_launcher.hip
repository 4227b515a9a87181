#include <hip/hip_runtime.h>

#include "gemm.h"
#include "gemm_kernel.h"

namespace gemm_fp8 {
namespace {

unsigned tiles(std::int64_t extent, int tile) {
    return static_cast<unsigned>((extent + tile - 1) / tile);
}

KernelStrides narrow(Strides stride) {
    return {static_cast<unsigned>(stride.row), static_cast<unsigned>(stride.k)};
}

template <Layout A, Layout B>
hipError_t launch(const GemmProblem& problem, hipStream_t stream) {
    KernelArguments arguments{
        static_cast<unsigned>(problem.m),
        static_cast<unsigned>(problem.n),
        static_cast<unsigned>(problem.k / kTileK),
        narrow(problem.a_scale_stride),
        narrow(problem.b_scale_stride),
        static_cast<unsigned>(A == Layout::kKContiguous ? problem.a_stride.row
                                                        : problem.a_stride.k),
        static_cast<unsigned>(B == Layout::kKContiguous ? problem.b_stride.row
                                                        : problem.b_stride.k),
    };
    const void* a = problem.a;
    const void* b = problem.b;
    const float* a_scale = problem.a_scale;
    const float* b_scale = problem.b_scale;
    void* out = problem.out;
    void* parameters[] = {&out, &a, &b, &a_scale, &b_scale, &arguments};

    // Tiles along N are limited to 65535, those along M are not.
    const dim3 grid(tiles(problem.m, kTileM), tiles(problem.n, kTileN));
    // Not <<<>>>: this returns the error of this launch, not one that an earlier call left behind.
    return hipLaunchKernel(reinterpret_cast<const void*>(&gemm_kernel<A, B>), grid, dim3(kThreads),
                           parameters, 0, stream);
}

}  // namespace

int gemm_launch(const GemmProblem& problem, void* stream) {
    if (problem.m == 0 || problem.n == 0) {
        return hipSuccess;
    }
    const bool empty = problem.k == 0;  // nothing is read, and strides mean nothing
    const bool a_along_k = empty || fits_k_contiguous(problem.a, problem.a_stride);
    const bool b_along_k = empty || fits_k_contiguous(problem.b, problem.b_stride);
    if ((!a_along_k && !fits_row_contiguous(problem.a, problem.a_stride, problem.m)) ||
        (!b_along_k && !fits_row_contiguous(problem.b, problem.b_stride, problem.n)) ||
        problem.k % kTileK != 0 || problem.n % 8 != 0) {
        return hipErrorInvalidValue;
    }
    constexpr Layout along_k = Layout::kKContiguous;
    constexpr Layout along_rows = Layout::kRowContiguous;
    auto* const queue = static_cast<hipStream_t>(stream);
    if (a_along_k) {
        return b_along_k ? launch<along_k, along_k>(problem, queue)
                         : launch<along_k, along_rows>(problem, queue);
    }
    return b_along_k ? launch<along_rows, along_k>(problem, queue)
                     : launch<along_rows, along_rows>(problem, queue);
}

const char* gemm_error_string(int error) {
    return hipGetErrorString(static_cast<hipError_t>(error));
}

}  // namespace gemm_fp8
