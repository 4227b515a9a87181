#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

namespace {

constexpr int kThreads = 64;

__global__ void scale_kernel(float* out, const float* input, int64_t count) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(kThreads) + threadIdx.x;
  if (i < count) {
    out[i] = 2.0f * input[i];
  }
}

__global__ void scale_kernel_without_bounds(float* out, const float* input) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(kThreads) + threadIdx.x;
  out[i] = 2.0f * input[i];
}

unsigned groups(int64_t count) { return static_cast<unsigned>((count + kThreads - 1) / kThreads); }

void launch(at::Tensor& out, const at::Tensor& input, int64_t count, cudaStream_t stream) {
  scale_kernel<<<groups(count), kThreads, 0, stream>>>(static_cast<float*>(out.data_ptr()),
                                                       static_cast<const float*>(input.const_data_ptr()), count);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void check_device(const at::Tensor& out, const at::Tensor& input) {
  TORCH_CHECK(input.is_cuda() && input.device() == out.device(), "scale: out and input must be on one GPU");
}
void check_strides(const at::Tensor& out, const at::Tensor& input) {
  TORCH_CHECK(input.is_contiguous() && out.is_contiguous(), "scale: tensors must be contiguous");
}
void check_types(const at::Tensor& out, const at::Tensor& input) {
  TORCH_CHECK(input.scalar_type() == at::kFloat && out.scalar_type() == at::kFloat, "scale: tensors must be float32");
  TORCH_CHECK(input.sizes() == out.sizes(), "scale: tensors must have one shape");
}
void check_all(const at::Tensor& out, const at::Tensor& input) {
  check_device(out, input);
  check_strides(out, input);
  check_types(out, input);
}

}  // namespace

void scale(at::Tensor& out, const at::Tensor& input) {
  check_all(out, input);
  const c10::cuda::CUDAGuard guard(out.device());
  launch(out, input, input.numel(), c10::cuda::getCurrentCUDAStream());
}

void scale_on_null_stream(at::Tensor& out, const at::Tensor& input) {
  check_all(out, input);
  const c10::cuda::CUDAGuard guard(out.device());
  launch(out, input, input.numel(), nullptr);
}

void scale_without_guard(at::Tensor& out, const at::Tensor& input) {
  check_all(out, input);
  launch(out, input, input.numel(), c10::cuda::getCurrentCUDAStream());
}

void scale_of_any_device(at::Tensor& out, const at::Tensor& input) {
  check_strides(out, input);
  check_types(out, input);
  const c10::cuda::CUDAGuard guard(out.device());
  launch(out, input, input.numel(), c10::cuda::getCurrentCUDAStream());
}

void scale_of_any_strides(at::Tensor& out, const at::Tensor& input) {
  check_device(out, input);
  check_types(out, input);
  const c10::cuda::CUDAGuard guard(out.device());
  launch(out, input, input.numel(), c10::cuda::getCurrentCUDAStream());
}

void scale_of_any_type(at::Tensor& out, const at::Tensor& input) {
  check_device(out, input);
  check_strides(out, input);
  const c10::cuda::CUDAGuard guard(out.device());
  launch(out, input, input.numel(), c10::cuda::getCurrentCUDAStream());
}

void scale_without_bounds(at::Tensor& out, const at::Tensor& input) {
  check_all(out, input);
  const c10::cuda::CUDAGuard guard(out.device());
  scale_kernel_without_bounds<<<groups(input.numel()), kThreads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      static_cast<float*>(out.data_ptr()), static_cast<const float*>(input.const_data_ptr()));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void scale_but_the_last(at::Tensor& out, const at::Tensor& input) {
  check_all(out, input);
  const c10::cuda::CUDAGuard guard(out.device());
  launch(out, input, input.numel() - 1, c10::cuda::getCurrentCUDAStream());
}

void scale_on_side_stream(at::Tensor& out, const at::Tensor& input) {
  check_all(out, input);
  const c10::cuda::CUDAGuard guard(out.device());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const cudaStream_t side = c10::cuda::getStreamFromPool();
  cudaEvent_t event = nullptr;
  C10_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  C10_CUDA_CHECK(cudaEventRecord(event, stream));
  C10_CUDA_CHECK(cudaStreamWaitEvent(side, event, 0));
  launch(out, input, input.numel(), side);
  C10_CUDA_CHECK(cudaEventRecord(event, side));
  C10_CUDA_CHECK(cudaStreamWaitEvent(stream, event, 0));
  C10_CUDA_CHECK(cudaEventDestroy(event));
}

void scale_without_waiting(at::Tensor& out, const at::Tensor& input) {
  check_all(out, input);
  const c10::cuda::CUDAGuard guard(out.device());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const cudaStream_t side = c10::cuda::getStreamFromPool();
  cudaEvent_t event = nullptr;
  C10_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  C10_CUDA_CHECK(cudaEventRecord(event, stream));
  C10_CUDA_CHECK(cudaStreamWaitEvent(side, event, 0));
  C10_CUDA_CHECK(cudaEventDestroy(event));
  launch(out, input, input.numel(), side);  // whoever reads `out` on the current stream does not wait for it
}

std::vector<int64_t> device_facts() {
  const cudaDeviceProp* const properties = at::cuda::getCurrentDeviceProperties();
  int active = 0;
  C10_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, scale_kernel, kThreads, 0));
  cudaFuncAttributes attributes;
  C10_CUDA_CHECK(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&scale_kernel)));
  return {properties->multiProcessorCount, properties->warpSize, properties->maxThreadsPerBlock, active,
          attributes.maxThreadsPerBlock};
}

std::string device_arch() { return at::cuda::getCurrentDeviceProperties()->gcnArchName; }
