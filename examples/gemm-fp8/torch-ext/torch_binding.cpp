// torch's headers first: kbuild precompiles what stands before the project's own.
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include "../gemm/gemm_problem.h"
#include "registration.h"
#include "torch_binding.h"

#if defined(ROCM_KERNEL)
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "../gemm/gemm.h"
#elif defined(CPU_KERNEL)
#include "../gemm_cpu/gemm_cpu.h"
#endif

// Few and lean headers: no HIP, and not torch/all.h, which would be most of the compile time.

namespace {

using gemm_fp8::GemmProblem;
using gemm_fp8::kScaleBlock;
using gemm_fp8::Strides;

// Offsets are 32-bit numbers in the kernel.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 31;

// What holds for symbolic shapes too.
void check_types(const at::Tensor& out, const at::Tensor& a, const at::Tensor& b,
                 const at::Tensor& a_scale, const at::Tensor& b_scale) {
    const auto check = [&](const at::Tensor& tensor, const char* name, c10::ScalarType type) {
        TORCH_CHECK(tensor.scalar_type() == type, "gemm: ", name, " must be ", type, ", but is ",
                    tensor.scalar_type());
        TORCH_CHECK(tensor.dim() == 2, "gemm: ", name, " must have 2 dimensions, but has ",
                    tensor.dim());
        TORCH_CHECK(tensor.device() == a.device(), "gemm: ", name, " is on ", tensor.device(),
                    ", but a is on ", a.device());
    };
    for (const auto* operand : {&a, &b}) {
        TORCH_CHECK(operand->scalar_type() != c10::ScalarType::Float8_e4m3fn,
                    "gemm: an operand is Float8_e4m3fn, but must be Float8_e4m3fnuz: the MI300X "
                    "reads the same bytes as half the value");
    }
    check(a, "a", c10::ScalarType::Float8_e4m3fnuz);
    check(b, "b", c10::ScalarType::Float8_e4m3fnuz);
    check(a_scale, "a_scale", c10::ScalarType::Float);
    check(b_scale, "b_scale", c10::ScalarType::Float);
    check(out, "out", c10::ScalarType::BFloat16);
}

void check_shape(const at::Tensor& tensor, const char* name, std::int64_t rows,
                 std::int64_t columns) {
    TORCH_CHECK(tensor.size(0) == rows && tensor.size(1) == columns, "gemm: ", name,
                " must have the shape [", rows, ", ", columns, "], but has ", tensor.sizes());
}

// The stride of a dimension of size 1 is arbitrary and never used: 0, which any layout accepts.
Strides strides_of(const at::Tensor& tensor) {
    return {tensor.size(0) == 1 ? 0 : tensor.stride(0), tensor.size(1) == 1 ? 0 : tensor.stride(1)};
}

void check_extent(const at::Tensor& tensor, const char* name) {
    const Strides stride = strides_of(tensor);
    const std::int64_t last = (tensor.size(0) - 1) * stride.row + (tensor.size(1) - 1) * stride.k;
    TORCH_CHECK(tensor.numel() == 0 || last < kMaxBytes / tensor.element_size(), "gemm: ", name,
                " extends over 2 GiB or more, which the kernel's 32-bit offsets can't reach");
}

void check_operand_layout(const at::Tensor& tensor, const char* name, const char* rows_name) {
    const Strides stride = strides_of(tensor);
    const void* const data = tensor.const_data_ptr();
    TORCH_CHECK(tensor.numel() == 0 || gemm_fp8::fits_k_contiguous(data, stride) ||
                    gemm_fp8::fits_row_contiguous(data, stride, tensor.size(0)),
                "gemm: ", name, " has the strides ", tensor.strides(), " and the shape ",
                tensor.sizes(), ", which is neither [", rows_name,
                ", K] with K contiguous (stride of ", rows_name,
                " a multiple of 16, memory aligned to 16 bytes) nor the transpose of a contiguous "
                "[K, ",
                rows_name, "] (", rows_name, " and the stride of K multiples of 8, memory aligned ",
                "to 8 bytes); ", name,
                ".clone(memory_format=torch.contiguous_format) is always accepted");
}

GemmProblem check_arguments(const at::Tensor& out, const at::Tensor& a, const at::Tensor& b,
                            const at::Tensor& a_scale, const at::Tensor& b_scale) {
    check_types(out, a, b, a_scale, b_scale);
    const std::int64_t m = a.size(0);
    const std::int64_t k = a.size(1);
    const std::int64_t n = b.size(0);
    TORCH_CHECK(k % kScaleBlock == 0, "gemm: K must be a multiple of ", kScaleBlock, ", but is ",
                k);
    TORCH_CHECK(n % 8 == 0, "gemm: N must be a multiple of 8, but is ", n);
    check_shape(b, "b", n, k);
    check_shape(a_scale, "a_scale", m, k / kScaleBlock);
    check_shape(b_scale, "b_scale", (n + kScaleBlock - 1) / kScaleBlock, k / kScaleBlock);
    check_shape(out, "out", m, n);
    TORCH_CHECK(out.is_contiguous(), "gemm: out must be contiguous, but has the strides ",
                out.strides());
    TORCH_CHECK(gemm_fp8::is_aligned(out.const_data_ptr(), 8),
                "gemm: the memory of out must be aligned to 8 bytes");
    check_operand_layout(a, "a", "M");
    check_operand_layout(b, "b", "N");
    check_extent(a, "a");
    check_extent(b, "b");
    check_extent(a_scale, "a_scale");
    check_extent(b_scale, "b_scale");
    check_extent(out, "out");
    for (const auto* input : {&a, &b, &a_scale, &b_scale}) {
        at::assert_no_overlap(out, *input);
    }
    return {
        m,
        n,
        k,
        out.mutable_data_ptr(),
        a.const_data_ptr(),
        b.const_data_ptr(),
        a_scale.const_data_ptr<float>(),
        b_scale.const_data_ptr<float>(),
        strides_of(a),
        strides_of(b),
        strides_of(a_scale),
        strides_of(b_scale),
    };
}

// Fake tensors: there is nothing to allocate, only `out` to be written.
void gemm_meta(at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& a_scale,
               const at::Tensor& b_scale) {
    check_types(out, a, b, a_scale, b_scale);
}

}  // namespace

#if defined(ROCM_KERNEL)

void gemm(at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& a_scale,
          const at::Tensor& b_scale) {
    const GemmProblem problem = check_arguments(out, a, b, a_scale, b_scale);
    const c10::Device device = out.device();
    const c10::DeviceGuard on_device(device);
    // The current stream, without a HIP header and its differences between torch versions.
    void* const stream =
        c10::impl::VirtualGuardImpl(device.type()).getStream(device).native_handle();
    const int error = gemm_fp8::gemm_launch(problem, stream);
    TORCH_CHECK(error == 0, "gemm: can't start the kernel (built for gfx942 only): ",
                gemm_fp8::gemm_error_string(error));
}

#elif defined(CPU_KERNEL)

void gemm(at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& a_scale,
          const at::Tensor& b_scale) {
    gemm_fp8::gemm_cpu(check_arguments(out, a, b, a_scale, b_scale));
}

#endif

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
    ops.def("gemm(Tensor! out, Tensor a, Tensor b, Tensor a_scale, Tensor b_scale) -> ()");
    ops.impl("gemm", c10::DispatchKey::Meta, &gemm_meta);
#if defined(ROCM_KERNEL)
    ops.impl("gemm", c10::DispatchKey::CUDA, &gemm);  // torch calls HIP devices "cuda"
#elif defined(CPU_KERNEL)
    ops.impl("gemm", c10::DispatchKey::CPU, &gemm);
#endif
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
