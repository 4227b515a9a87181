#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

// out = 2 * input, right and with one mistake each.
void scale(at::Tensor& out, const at::Tensor& input);
void scale_on_side_stream(at::Tensor& out, const at::Tensor& input);

void scale_on_null_stream(at::Tensor& out, const at::Tensor& input);
void scale_without_guard(at::Tensor& out, const at::Tensor& input);
void scale_of_any_device(at::Tensor& out, const at::Tensor& input);
void scale_of_any_strides(at::Tensor& out, const at::Tensor& input);
void scale_of_any_type(at::Tensor& out, const at::Tensor& input);
void scale_without_bounds(at::Tensor& out, const at::Tensor& input);
void scale_but_the_last(at::Tensor& out, const at::Tensor& input);
void scale_without_waiting(at::Tensor& out, const at::Tensor& input);

// What the device says of itself and of a kernel, in HIP's layouts.
std::vector<int64_t> device_facts();
std::string device_arch();
