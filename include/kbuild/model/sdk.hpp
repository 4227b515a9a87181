#pragma once

#include "kbuild/model/version.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::model {

/// Where the parts of an SDK come from; printed, and written into provenance.
enum class Origin {
    release, ///< AMD's or PyTorch's own release
    rebuild, ///< a distribution's rebuild
    mix      ///< parts of different versions or makers
};

std::string_view to_string(Origin origin);

/// A ROCm prefix that can compile HIP for gfx9xx. All paths exist when the value is made.
struct RocmSdk {
    std::string name;         ///< `rocm@6.4`, or the path it was found at
    Version version;          ///< of HIP, as its headers say: `6.4.43484`
    std::string full_version; ///< as written: `6.4.43484`
    std::string provider;     ///< `apt`, `path`, `environment`, `opt`
    Origin origin = Origin::release;
    std::string origin_note;     ///< which parts, when not a release
    std::filesystem::path root;  ///< ROCM_PATH
    std::filesystem::path clang; ///< llvm/bin/clang++
    std::optional<std::filesystem::path> hipcc;
    std::optional<std::filesystem::path> amdclang;
    std::filesystem::path include;     ///< holds hip/hip_runtime.h
    std::filesystem::path bitcode;     ///< holds ocml.bc
    std::filesystem::path hip_library; ///< libamdhip64.so, real or stub
    std::string hip_soname;            ///< `libamdhip64.so.6`
    std::string fingerprint;           ///< by content, 64 hex digits

    Version short_version() const { return version.major_minor(); }
};

/// What a torch was built for; decides which of its headers and libraries there are.
enum class TorchBuild { cpu, cuda, rocm };

std::string_view to_string(TorchBuild build); ///< `CPU`, `CUDA`, `ROCm`

/// The headers of a torch and stub libraries that export the names of its real ones.
struct TorchSdk {
    std::string name;         ///< `torch@2.13`
    Version version;          ///< `2.13`
    std::string full_version; ///< as written: `2.13.0+cu130`
    std::string provider;     ///< `pip`, `wheel`, `libtorch`, `python`
    Origin origin = Origin::release;
    TorchBuild build = TorchBuild::cuda;
    std::optional<Version> rocm; ///< of a ROCm build: major.minor of the ROCm it was built with
    std::string no_rocm;         ///< why ROCm variants cannot be built with it; empty if they can
    /// The wheel or folder of this machine that it was taken from; empty if it was fetched.
    std::filesystem::path place;
    std::filesystem::path root;
    std::vector<std::filesystem::path> include; ///< torch's own, in this order
    std::vector<std::filesystem::path>
        rocm_include;                     ///< before `include` in ROCm variants: the hipified view
    std::filesystem::path python_include; ///< holds Python.h (only the limited API is used)
    std::filesystem::path
        stub_dir; ///< libtorch_cpu.so, libc10.so, libtorch.so, libtorch_hip.so, libc10_hip.so
    std::filesystem::path
        symbols_dir; ///< <library>.txt: one exported name a line, sorted; for each stub
    /// Holds hipify_python.py, which converts CUDA sources as this torch wants them; none in an SDK
    /// that has no such converter or that an older kbuild made.
    std::optional<std::filesystem::path> hipify;
    bool cxx11_abi = true;
    std::string fingerprint;

    Version short_version() const { return version.major_minor(); }
};

} // namespace kbuild::model
