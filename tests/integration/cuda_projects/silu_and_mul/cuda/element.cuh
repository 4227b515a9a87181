#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

/// x * sigmoid(x), in float whatever the element type is.
template <typename T>
__device__ __forceinline__ T silu(const T& x) {
  const float value = static_cast<float>(x);
  return static_cast<T>(value / (1.0f + __expf(-value)));
}
