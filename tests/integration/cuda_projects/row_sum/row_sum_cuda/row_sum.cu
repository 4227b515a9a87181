#include <row_sum_cuda.cuh>

constexpr int kThreads = 256;

__global__ void row_sum_kernel(float* __restrict__ out, const float* __restrict__ input, int64_t width) {
  __shared__ float partial[kThreads / 32];
  const float* row = input + blockIdx.x * width;
  float sum = 0.0f;
  for (int64_t i = threadIdx.x; i < width; i += kThreads) {
    sum += row[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down(sum, distance, 32);
  }
  if (threadIdx.x % 32 == 0) {
    partial[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (const float value : partial) {
      total += value;
    }
    out[blockIdx.x] = total;
  }
}

cudaError_t launch_row_sum(float* out, const float* input, int64_t rows, int64_t width, cudaStream_t stream) {
  if (rows == 0) {
    return cudaSuccess;
  }
  row_sum_kernel<<<static_cast<unsigned>(rows), kThreads, 0, stream>>>(out, input, width);
  return cudaGetLastError();
}
