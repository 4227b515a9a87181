#include "library_names.hpp"

#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <array>

namespace kbuild::verify {
namespace {

using Names = std::initializer_list<std::string_view>;

/// `libcudart` fits `libcudart.so.13` and `libcudart-1234.so.12`, not `libcudart_static.so`.
bool is_one_of(std::string_view needed, Names stems) {
    return std::any_of(stems.begin(), stems.end(), [needed](std::string_view stem) {
        if (!needed.starts_with(stem))
            return false;
        const auto rest = needed.substr(stem.size());
        return rest.empty() || rest.front() == '.' || rest.front() == '-';
    });
}

} // namespace

LibraryOwner owner_of(std::string_view needed) {
    if (is_one_of(needed, {"libtorch", "libtorch_cpu", "libc10", "libtorch_global_deps", "libshm"}))
        return LibraryOwner::torch;
    if (is_one_of(needed, {"libtorch_hip", "libc10_hip"}))
        return LibraryOwner::torch_hip;
    if (is_one_of(needed, {"libtorch_python"}))
        return LibraryOwner::torch_python;
    if (support::starts_with_any(needed,
                                 {"libcuda.",
                                  "libcudart",
                                  "libc10_cuda",
                                  "libtorch_cuda",
                                  "libcublas",
                                  "libcudnn",
                                  "libcufft",
                                  "libcufile",
                                  "libcupti",
                                  "libcurand",
                                  "libcusolver",
                                  "libcusparse",
                                  "libnccl",
                                  "libnvJitLink",
                                  "libnvToolsExt",
                                  "libnvidia",
                                  "libnvrtc",
                                  "libnvshmem",
                                  "libcudss"}))
        return LibraryOwner::cuda;
    if (is_one_of(needed, {"libamdhip64"}))
        return LibraryOwner::hip_runtime;
    if (support::starts_with_any(needed,
                                 {"libhip",
                                  "libroc",
                                  "libMIOpen",
                                  "librccl",
                                  "libhsa-runtime64",
                                  "libamd_comgr",
                                  "libamd_smi",
                                  "libmagma",
                                  "libaotriton",
                                  "libcomposable"}))
        return LibraryOwner::rocm;
    if (support::starts_with_any(needed, {"libpython"}))
        return LibraryOwner::python;
    if (is_one_of(
            needed,
            {"libc", "libm", "libdl", "libpthread", "librt", "libutil", "libgcc_s", "libstdc++"}) ||
        needed.starts_with("ld-linux"))
        return LibraryOwner::system;
    return LibraryOwner::unknown;
}

bool may_need(model::Backend backend, LibraryOwner owner) {
    switch (owner) {
    case LibraryOwner::system:
    case LibraryOwner::torch:
    case LibraryOwner::unknown:
        return true;
    case LibraryOwner::torch_hip:
    case LibraryOwner::hip_runtime:
    case LibraryOwner::rocm:
        return backend == model::Backend::rocm;
    case LibraryOwner::cuda:
        return backend == model::Backend::cuda;
    case LibraryOwner::torch_python:
    case LibraryOwner::python:
        return false;
    }
    return true;
}

} // namespace kbuild::verify
