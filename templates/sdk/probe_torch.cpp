// What bindings use of torch, so that a link shows whether the stubs have it: registration, tensors
// and their dispatch, checks, guards, and on ROCm streams and the device's properties.
#define Py_LIMITED_API 0x03090000
#include <ATen/DeviceGuard.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <Python.h>
#include <c10/core/DeviceGuard.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#ifdef USE_ROCM
#include <ATen/hip/HIPContext.h>
#include <c10/hip/HIPException.h>
#include <c10/hip/HIPGuard.h>
#include <c10/hip/HIPStream.h>
#endif

#include <optional>
#include <string>

namespace {

at::Tensor probe(const at::Tensor& input,
                 at::Tensor& out,
                 const std::optional<at::Tensor>& scale,
                 double factor,
                 int64_t rows,
                 bool exact,
                 const std::string& name) {
    TORCH_CHECK(input.device() == out.device() && input.is_contiguous(),
                "probe: ",
                name,
                " is on ",
                input.device(),
                " with sizes ",
                input.sizes(),
                " and type ",
                input.scalar_type());
    const c10::DeviceGuard guard(input.device());
#ifdef USE_ROCM
    const c10::cuda::OptionalCUDAGuard device(at::device_of(input));
    const auto stream = at::cuda::getCurrentCUDAStream(input.get_device());
    C10_CUDA_CHECK(hipStreamSynchronize(stream.stream()));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    rows += at::cuda::getCurrentDeviceProperties()->multiProcessorCount;
#endif
    const auto like = at::empty_like(input);
    auto result = at::empty({rows, input.size(0)}, input.options().dtype(at::kFloat));
    TORCH_WARN_ONCE("probe: ", factor);
    if (scale && exact)
        out.copy_(like.contiguous().view({-1}).to(at::kFloat));
    return result.data_ptr<float>() == out.const_data_ptr<float>() ? result : out.clone();
}

} // namespace

TORCH_LIBRARY_FRAGMENT(kbuild_probe, library) {
    library.def("probe(Tensor input, Tensor! out, Tensor? scale, float factor, int rows, bool "
                "exact, str name) -> Tensor");
}

#ifdef USE_ROCM
TORCH_LIBRARY_IMPL(kbuild_probe, CUDA, library) {
#else
TORCH_LIBRARY_IMPL(kbuild_probe, CPU, library) {
#endif
    library.impl("probe", &probe);
}
