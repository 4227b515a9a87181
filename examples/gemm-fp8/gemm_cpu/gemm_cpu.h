#pragma once

#include "../gemm/gemm_problem.h"

namespace gemm_fp8 {

// The reference: plain loops over host memory, any strides. Sums are float64 and rounded once, to
// bf16, so that it may serve as the expected value of a test.
void gemm_cpu(const GemmProblem& problem);

}  // namespace gemm_fp8
