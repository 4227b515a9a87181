#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kbuild::testbed {

/// A Python with the real torch, the `kernels` package, pytest and numpy, for tests on the emulated
/// device.
struct PythonEnvironment {
    std::filesystem::path root;
    std::filesystem::path python;    ///< the interpreter
    std::filesystem::path libraries; ///< what make_device_libraries() made for its torch
};

/// What an environment is made of; another request is another environment.
struct EnvironmentRequest {
    model::TorchSdk torch;                 ///< its exact version is installed
    std::vector<std::string> requirements; ///< the project's `python-depends`, for pip
    std::filesystem::path cuda_library;    ///< libkbuild-cuda.so
    std::string python = "python3";        ///< makes the environment
    std::filesystem::path store;           ///< where environments are kept
};

using OnProgress = std::function<void(const std::string& text)>;

/// The environment, made if it is not there: in one step, under a lock, by pip alone (its index,
/// proxy and credentials are the user's). torch's dependencies on NVIDIA's packages and on triton
/// are left out: about 0.6 GB instead of 3 are fetched.
/// Errors: `network` if pip fails, `toolchain` without Python, pip or a C compiler.
support::Result<PythonEnvironment> need_environment(const EnvironmentRequest& request,
                                                    const OnProgress& on_progress);

/// The requirements in a wheel's METADATA that are installed: those without an extra, and nothing
/// of NVIDIA or triton. In the file's order.
std::vector<std::string> plain_requirements(const std::string& metadata);

} // namespace kbuild::testbed
