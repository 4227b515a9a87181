#pragma once

#include <torch/all.h>

void relu(torch::Tensor& out, const torch::Tensor& input);
