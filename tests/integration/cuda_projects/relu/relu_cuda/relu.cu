#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/all.h>

#include <algorithm>
#include <cmath>

__global__ void relu_kernel(float* __restrict__ out, const float* __restrict__ input, int64_t count) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count; i += step) {
    out[i] = std::max(input[i], 0.0f);
  }
}

void relu(torch::Tensor& out, const torch::Tensor& input) {
  TORCH_CHECK(input.is_contiguous() && out.is_contiguous(), "relu wants contiguous tensors");
  TORCH_CHECK(input.scalar_type() == at::kFloat && out.scalar_type() == at::kFloat, "relu wants float32");
  TORCH_CHECK(input.sizes() == out.sizes(), "relu wants tensors of one shape");
  const at::cuda::OptionalCUDAGuard device_guard(device_of(input));
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  const int64_t count = input.numel();
  if (count == 0) {
    return;
  }
  const int threads = 256;
  const auto blocks = static_cast<unsigned>(std::min<int64_t>((count + threads - 1) / threads, 4096));
  relu_kernel<<<blocks, threads, 0, stream>>>(out.data_ptr<float>(), input.data_ptr<float>(), count);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
