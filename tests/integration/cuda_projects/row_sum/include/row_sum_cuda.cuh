#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Sums each row of a matrix of `width` columns; defined in row_sum.cu.
cudaError_t launch_row_sum(float* out, const float* input, int64_t rows, int64_t width, cudaStream_t stream);
