#include "torch_binding.h"

#include "registration.h"

#include <torch/library.h>

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
    ops.def("silu_and_mul(Tensor! out, Tensor input) -> ()");
    ops.impl("silu_and_mul", at::kCUDA, &silu_and_mul);
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
