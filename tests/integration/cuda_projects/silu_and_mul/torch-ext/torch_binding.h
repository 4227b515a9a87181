#pragma once

#include <ATen/core/Tensor.h>

void silu_and_mul(at::Tensor& out, const at::Tensor& input);
