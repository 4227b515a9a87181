// torch's headers first: kbuild precompiles what stands before the project's own.
#include <ATen/core/Tensor.h>
#include <c10/core/DispatchKey.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include "registration.h"
#include "torch_binding.h"

@if both@
#if defined(ROCM_KERNEL)
@end@
@if rocm@
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

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

namespace {

void check(const at::Tensor& out, const at::Tensor& input) {
    for (const auto* tensor : {&out, &input}) {
        TORCH_CHECK(tensor->scalar_type() == c10::ScalarType::Float, "multiply: tensors must be float32");
        TORCH_CHECK(tensor->is_contiguous(), "multiply: tensors must be contiguous");
    }
    TORCH_CHECK(out.sizes() == input.sizes(), "multiply: out has the shape ", out.sizes(), ", input ", input.sizes());
    TORCH_CHECK(out.device() == input.device(), "multiply: tensors must be on one device");
}

// For tracing: nothing to compute, `out` exists already.
void multiply_meta(at::Tensor&, const at::Tensor&, double) {}

}  // namespace

void multiply(at::Tensor& out, const at::Tensor& input, double factor) {
    check(out, input);
@if both@
#if defined(ROCM_KERNEL)
@end@
@if rocm@
    const c10::DeviceGuard on_device(input.device());
    const c10::impl::VirtualGuardImpl guard(input.device().type());
    const int error = @module@_launch(out.mutable_data_ptr<float>(), input.const_data_ptr<float>(),
                                      static_cast<float>(factor), input.numel(),
                                      guard.getStream(input.device()).native_handle());
    TORCH_CHECK(error == 0, "multiply: ", @module@_error(error));
@end@
@if both@
#else
@end@
@if cpu@
    @module@_cpu(out.mutable_data_ptr<float>(), input.const_data_ptr<float>(), static_cast<float>(factor),
                 input.numel());
@end@
@if both@
#endif
@end@
}

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
    ops.def("multiply(Tensor! out, Tensor input, float factor) -> ()");
    ops.impl("multiply", c10::DispatchKey::Meta, &multiply_meta);
@if both@
#if defined(ROCM_KERNEL)
@end@
@if rocm@
    ops.impl("multiply", c10::DispatchKey::CUDA, &multiply);  // torch calls HIP devices "cuda"
@end@
@if both@
#else
@end@
@if cpu@
    ops.impl("multiply", c10::DispatchKey::CPU, &multiply);
@end@
@if both@
#endif
@end@
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
