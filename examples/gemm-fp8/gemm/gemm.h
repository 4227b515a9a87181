#pragma once

#include "gemm_problem.h"

// What the torch binding sees of the HIP code: no HIP type, so no HIP header.

namespace gemm_fp8 {

// Starts the kernel on `stream` (a hipStream_t) of the current device and does not wait for it.
// All pointers are device memory. Returns a hipError_t, 0 for success.
int gemm_launch(const GemmProblem& problem, void* stream);

const char* gemm_error_string(int error);

}  // namespace gemm_fp8
