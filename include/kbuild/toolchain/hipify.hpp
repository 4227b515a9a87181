#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::toolchain {

/// What is to be converted. Files are named relative to `project`, normalised, with `/`.
struct HipifyRequest {
    std::filesystem::path project;    ///< absolute
    std::vector<std::string> convert; ///< CUDA sources, and what they include of the project
    std::vector<std::string> keep;    ///< HIP files beside them, which are never touched
    std::vector<std::string> folders; ///< where their headers are looked for
};

struct ConvertedFile {
    std::string input;  ///< `relu_cuda/relu.cu`
    std::string output; ///< `relu_hip/relu.hip`; equal to `input` if nothing had to change
    std::string diff;   ///< unified, without the lines that kbuild adds; empty if nothing changed
    bool changed() const { return input != output; }
};

/// Two inputs whose converted names are the same.
struct NameClash {
    std::string first;
    std::string second;
    std::string output;
};

/// A folder with the requested files as they are and, beside them, the converted ones. Each
/// converted file says in a `#line` which file and line of the project it was made from.
struct HipifiedTree {
    std::filesystem::path root;
    std::vector<ConvertedFile> files; ///< sorted by input
    std::vector<NameClash> clashes;   ///< if there are any, nothing was converted
    std::string digest;               ///< of names and bytes of the whole folder
};

/// Converts CUDA sources with the hipify that came with `torch` (torch itself is not needed), by
/// the `python3` of PATH. `into` is brought up to date file by file, so that what did not change
/// keeps its time; nothing is run if it is up to date already. Needs `torch.hipify`. Errors of kind
/// `toolchain`: no Python, or a converter that failed, with its words.
support::Result<HipifiedTree> hipify(const model::TorchSdk& torch,
                                     const HipifyRequest& request,
                                     const std::filesystem::path& into);

} // namespace kbuild::toolchain
