#include "torch_binding.h"

#include "registration.h"

#include <torch/library.h>

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
    ops.def("row_sum(Tensor! out, Tensor input) -> ()");
    ops.impl("row_sum", at::kCUDA, &row_sum);
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
