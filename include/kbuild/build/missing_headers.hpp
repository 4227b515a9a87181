#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/config/settings.hpp"
#include "kbuild/matrix/select.hpp"
#include "kbuild/model/sdk.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace kbuild::build {

/// A header of HIP or of a ROCm library that a source includes and an SDK does not have.
struct MissingHeader {
    std::string header; ///< `hip/hip_fp8.h`
    std::string source; ///< the file with the include, relative to the project
    /// torch's own header with the include (`ATen/hip/HIPContextLight.h`), which the source
    /// includes; empty if the source itself has it.
    std::string torch_header;
    std::string library; ///< that has it, as `--extra` takes it; empty if that is not known
};

/// The first such header of the project's rocm kernels, in the order of build.toml. Includes under
/// conditions that depend on what is not known are not judged. Torch's own headers for HIP are
/// followed; of CUDA sources, which are converted first, only these are judged.
std::optional<MissingHeader> missing_header(const config::BuildConfig& config,
                                            const std::filesystem::path& root,
                                            const model::RocmSdk& rocm,
                                            const model::TorchSdk& torch);

/// Takes the variants whose ROCm lacks such a header out of the selection, each with the header,
/// the file that wants it and, where a header package has it, the command that adds it. They are
/// promised if kbuild.toml names their versions or `require_all` is set.
void rule_out_missing_headers(const config::BuildConfig& config,
                              const config::Settings& settings,
                              const std::filesystem::path& root,
                              bool require_all,
                              matrix::BuildSet& set);

} // namespace kbuild::build
