// Uses nothing but torch's stable ABI, so that one library runs with every torch from `torch.stable-abi` on.
// torch's headers first: kbuild precompiles what stands before the project's own.
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/Exception.h>

#include "registration.h"
#include "torch_binding.h"

@if both@
#if defined(ROCM_KERNEL)
@end@
@if rocm@
#include "../@module@_hip/@module@.h"
@end@
@if both@
#else
@end@
@if cpu@
#include "../@module@_cpu/@module@_cpu.h"
@end@
@if both@
#endif
@end@

using torch::stable::Tensor;

namespace {

void check(const Tensor& out, const Tensor& input) {
    for (const auto* tensor : {&out, &input}) {
        STD_TORCH_CHECK(tensor->scalar_type() == torch::headeronly::ScalarType::Float,
                        "multiply: tensors must be float32");
        STD_TORCH_CHECK(tensor->is_contiguous(), "multiply: tensors must be contiguous");
    }
    STD_TORCH_CHECK(out.dim() == input.dim(), "multiply: out and input differ in shape");
    for (std::int64_t i = 0; i < input.dim(); ++i)
        STD_TORCH_CHECK(out.size(i) == input.size(i), "multiply: out and input differ in shape");
    STD_TORCH_CHECK(out.get_device_index() == input.get_device_index(),
                    "multiply: tensors must be on one device");
}

// For tracing: nothing to compute, `out` exists already.
void multiply_meta(Tensor, const Tensor&, double) {}

}  // namespace

void multiply(Tensor out, const Tensor& input, double factor) {
    check(out, input);
    auto* const to = static_cast<float*>(out.data_ptr());
    const auto* const from = static_cast<const float*>(input.data_ptr());
@if both@
#if defined(ROCM_KERNEL)
@end@
@if rocm@
    const torch::stable::accelerator::DeviceGuard on_device(input.get_device_index());
    const auto stream = torch::stable::accelerator::getCurrentStream(input.get_device_index());
    const int error =
        @module@_launch(to, from, static_cast<float>(factor), input.numel(), stream.nativeHandle());
    STD_TORCH_CHECK(error == 0, "multiply: ", @module@_error(error));
@end@
@if both@
#else
@end@
@if cpu@
    @module@_cpu(to, from, static_cast<float>(factor), input.numel());
@end@
@if both@
#endif
@end@
}

STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
    ops.def("multiply(Tensor(a!) out, Tensor input, float factor) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, Meta, ops) {
    ops.impl("multiply", TORCH_BOX(&multiply_meta));
}

@if both@
#if defined(ROCM_KERNEL)
@end@
@if rocm@
STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CUDA, ops) {  // torch calls HIP devices "cuda"
    ops.impl("multiply", TORCH_BOX(&multiply));
}
@end@
@if both@
#else
@end@
@if cpu@
STABLE_TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CPU, ops) {
    ops.impl("multiply", TORCH_BOX(&multiply));
}
@end@
@if both@
#endif
@end@

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
