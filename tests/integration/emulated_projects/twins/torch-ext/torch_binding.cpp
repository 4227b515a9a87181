#include "torch_binding.h"

#include "registration.h"

#include <torch/library.h>

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
    ops.def("scale(Tensor! out, Tensor input) -> ()");
    ops.impl("scale", at::kCUDA, &scale);
    ops.def("scale_on_side_stream(Tensor! out, Tensor input) -> ()");
    ops.impl("scale_on_side_stream", at::kCUDA, &scale_on_side_stream);
    ops.def("scale_on_null_stream(Tensor! out, Tensor input) -> ()");
    ops.impl("scale_on_null_stream", at::kCUDA, &scale_on_null_stream);
    ops.def("scale_without_guard(Tensor! out, Tensor input) -> ()");
    ops.impl("scale_without_guard", at::kCUDA, &scale_without_guard);
    ops.def("scale_of_any_device(Tensor! out, Tensor input) -> ()");
    ops.impl("scale_of_any_device", at::kCUDA, &scale_of_any_device);
    ops.def("scale_of_any_strides(Tensor! out, Tensor input) -> ()");
    ops.impl("scale_of_any_strides", at::kCUDA, &scale_of_any_strides);
    ops.def("scale_of_any_type(Tensor! out, Tensor input) -> ()");
    ops.impl("scale_of_any_type", at::kCUDA, &scale_of_any_type);
    ops.def("scale_without_bounds(Tensor! out, Tensor input) -> ()");
    ops.impl("scale_without_bounds", at::kCUDA, &scale_without_bounds);
    ops.def("scale_but_the_last(Tensor! out, Tensor input) -> ()");
    ops.impl("scale_but_the_last", at::kCUDA, &scale_but_the_last);
    ops.def("scale_without_waiting(Tensor! out, Tensor input) -> ()");
    ops.impl("scale_without_waiting", at::kCUDA, &scale_without_waiting);
    ops.def("device_facts() -> int[]", &device_facts);
    ops.def("device_arch() -> str", &device_arch);
    // The right function under the wrong key: nobody can call it with device tensors.
    ops.def("scale_for_the_cpu(Tensor! out, Tensor input) -> ()");
    ops.impl("scale_for_the_cpu", at::kCPU, &scale);
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
