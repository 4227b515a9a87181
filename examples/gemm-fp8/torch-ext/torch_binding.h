#pragma once

#include <ATen/core/Tensor.h>

// out = a @ b.T with block scales, see torch-ext/gemm/__init__.py for shapes and layouts.
void gemm(at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& a_scale,
          const at::Tensor& b_scale);
