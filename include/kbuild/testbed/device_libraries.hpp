#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::testbed {

/// Makes in `output` what a published (CUDA) torch wants of NVIDIA, and a ROCm extension of torch:
///
/// * a library for each of NVIDIA's SONAMEs in the NEEDED lists of the libraries in `torch_lib`,
/// with
///   the names that they ask for. The CUDA runtime's part that kbuild has is taken from
///   `cuda_library` (libkbuild-cuda.so); each other function fails and says its name. None does
///   nothing and claims success.
/// * libc10_hip.so and libtorch_hip.so: the CUDA libraries under ROCm's names, with HIP's types in
///   the names of functions, and device properties in HIP's layout.
///
/// Everything has to be found through LD_LIBRARY_PATH. Made with the host's C compiler; Errors of
/// kind `toolchain`.
support::Result<void> make_device_libraries(const std::filesystem::path& torch_lib,
                                            const std::filesystem::path& cuda_library,
                                            const std::filesystem::path& output);

/// A library to be made: names by version, and what else it needs.
struct NvidiaLibrary {
    std::string soname;
    std::vector<std::pair<std::string, std::string>> names; ///< version (or nothing), name; sorted
    auto operator<=>(const NvidiaLibrary&) const = default;
};

/// The C source of a library whose functions fail; texts and versions that are asked for are there.
std::string failing_source(const NvidiaLibrary& library);

/// What the names' versions are in the linker's language; empty if no name has one.
std::string version_script(const NvidiaLibrary& library);

} // namespace kbuild::testbed
