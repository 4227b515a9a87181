#pragma once

#include "kbuild/model/backend.hpp"

#include <string_view>

namespace kbuild::verify {

/// What brings a library that an extension needs.
enum class LibraryOwner {
    system,       ///< glibc, libstdc++, libgcc: what manylinux_2_28 lets one expect
    torch,        ///< torch's own libraries for every backend
    torch_hip,    ///< those of a ROCm torch
    torch_python, ///< libtorch_python: not covered by the limited API
    cuda,         ///< CUDA's libraries and those of a CUDA torch
    hip_runtime,  ///< libamdhip64
    rocm,         ///< other ROCm libraries that a ROCm torch brings
    python,       ///< libpython
    unknown
};

LibraryOwner owner_of(std::string_view needed);

/// Whether an extension for `backend` may need it; libraries of no known owner may.
bool may_need(model::Backend backend, LibraryOwner owner);

} // namespace kbuild::verify
