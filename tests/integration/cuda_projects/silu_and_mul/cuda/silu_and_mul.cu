#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

#include "element.cuh"

template <typename T>
__global__ void silu_and_mul_kernel(T* __restrict__ out, const T* __restrict__ input, int width) {
  const T* row = input + static_cast<int64_t>(blockIdx.x) * 2 * width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    out[static_cast<int64_t>(blockIdx.x) * width + i] = silu(row[i]) * row[width + i];
  }
}

void silu_and_mul(at::Tensor& out, const at::Tensor& input) {
  TORCH_CHECK(input.is_contiguous() && out.is_contiguous(), "silu_and_mul wants contiguous tensors");
  const int width = static_cast<int>(input.size(-1) / 2);
  const int64_t rows = width == 0 ? 0 : input.numel() / (2 * width);
  TORCH_CHECK(out.numel() == rows * width, "the result has another size");
  if (rows == 0) {
    return;
  }
  const c10::cuda::CUDAGuard device_guard(input.device());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, input.scalar_type(), "silu_and_mul", [&] {
    silu_and_mul_kernel<scalar_t><<<static_cast<unsigned>(rows), std::min(width, 1024), 0, stream>>>(
        out.data_ptr<scalar_t>(), input.data_ptr<scalar_t>(), width);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}
