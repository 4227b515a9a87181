#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kbuild::toolchain {

/// What a torch says of itself.
struct TorchVersion {
    std::string full;       ///< as written: `2.14.1+rocm7.2`
    model::Version version; ///< `2.14.1`
    model::TorchBuild build = model::TorchBuild::cpu;
    std::optional<model::Version> rocm; ///< of a ROCm build, major.minor
};

/// The release that a version text begins with: `2.15.0a0+git12` -> 2.15.0.
std::optional<model::Version> release_of(std::string_view text);

/// Reads a `torch/version.py` without running it. `rocm` is taken from its field `rocm`, or, where
/// a torch has none, from `hip`: until ROCm 7 both began with the same numbers, and torch wrote
/// `hip` alone. An Error of kind `toolchain` if the text names no version.
support::Result<TorchVersion> parse_version_file(std::string_view text);

/// The version of the torch whose `include` and `lib` are in `folder`: from its version.py, else,
/// for a libtorch folder, from `build-version` and the libraries that are there.
support::Result<TorchVersion> read_torch_version(const std::filesystem::path& folder);

} // namespace kbuild::toolchain
