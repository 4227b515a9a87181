#include <ATen/DeviceGuard.h>
#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

#include <row_sum_cuda.cuh>

void row_sum(at::Tensor& out, const at::Tensor& input) {
  TORCH_CHECK(input.dim() == 2 && input.is_contiguous(), "row_sum wants a contiguous matrix");
  TORCH_CHECK(input.scalar_type() == at::kFloat && out.scalar_type() == at::kFloat, "row_sum wants float32");
  TORCH_CHECK(out.numel() == input.size(0), "row_sum wants one result a row");
  const at::cuda::OptionalCUDAGuard device_guard(device_of(input));
  C10_CUDA_CHECK(launch_row_sum(out.data_ptr<float>(), input.data_ptr<float>(), input.size(0), input.size(1),
                                at::cuda::getCurrentCUDAStream()));
}
