#pragma once

#include <torch/csrc/stable/tensor.h>

// out = factor * input; float32 tensors of the same shape, contiguous, on the same device.
void multiply(torch::stable::Tensor out, const torch::stable::Tensor& input, double factor);
