#pragma once

#include "kbuild/build/work_folder.hpp"
#include "kbuild/config/build_config.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/matrix/select.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/hipify.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::build {

/// The CUDA sources of one section of build.toml, converted by one torch's hipify.
struct Conversion {
    std::string section; ///< name of the component: `binding`, or a kernel's
    std::string torch;   ///< name of the SDK: `torch@2.13`
    toolchain::HipifiedTree tree;

    /// Where a listed file is compiled from: the tree's file, or `root`'s own if it is none of the
    /// converted ones (`.hip`).
    std::filesystem::path place_of(const std::filesystem::path& root,
                                   const std::string& relative) const;
};

using Conversions = std::vector<Conversion>;

/// Whether a section lists CUDA sources (`.cu`), so that its files are converted for ROCm; sections
/// without are never touched.
bool lists_cuda_sources(const config::Strings& src);

/// The torches of the selected ROCm variants, each once, in the selection's order.
std::vector<const model::TorchSdk*> rocm_torches(const matrix::BuildSet& set);

/// Converts the CUDA sources of rocm kernels into `folder`, once per section and torch; nothing is
/// run for what is up to date. Files that fit one of `keep` (shell patterns) stay as they are, and
/// are compiled as HIP if they are listed. Mistakes are reported to `sink`: K0401 (a torch without
/// a converter), K0404 (two files that meet in one name).
support::Result<Conversions>
convert_cuda_sources(const config::BuildConfig& config,
                     const std::vector<const model::TorchSdk*>& torches,
                     const std::vector<std::string>& keep,
                     const std::filesystem::path& root,
                     const WorkFolder& folder,
                     diag::Sink& sink);

/// The conversion of a section for a torch; null if there is none.
const Conversion*
find_conversion(const Conversions& all, const std::string& section, const model::TorchSdk* torch);

/// Whether the converted text of a section depends on the torch, so that its objects do too.
bool differs_between_torches(const Conversions& all, const std::string& section);

} // namespace kbuild::build
