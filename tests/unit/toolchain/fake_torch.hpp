#pragma once

#include "fake_tools.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::toolchain::test {

/// How torch/version.py of each build begins.
constexpr const char* kCpuVersion = "__version__ = '2.14.1+cpu'\n"
                                    "cuda: Optional[str] = None\nhip: Optional[str] = None\n";
constexpr const char* kCudaVersion = "__version__ = '2.14.1+cu130'\n"
                                     "cuda: Optional[str] = '13.0'\nhip: Optional[str] = None\n";
constexpr const char* kRocmVersion = "__version__ = '2.14.1+rocm7.2'\ncuda: Optional[str] = None\n"
                                     "hip: Optional[str] = '7.2.53211-e1a6bc5663'\n"
                                     "rocm: Optional[str] = '7.2.4'\n";

/// The package folder `torch` of a Python, with the libraries that its build has and, unless it is
/// a libtorch (an empty `version`), a made-up hipify.
void make_torch_folder(const std::filesystem::path& folder,
                       const std::string& version,
                       const std::vector<std::string>& gpu_libraries);

/// The same as a wheel.
void make_torch_wheel(const std::filesystem::path& wheel, const std::filesystem::path& folder);

/// `python3` (the real one, but for Python's headers, which are made up) and `cc`.
void add_torch_tools(const FakeMachine& machine);

} // namespace kbuild::toolchain::test
