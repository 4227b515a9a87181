#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/diag/source.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::config {

/// One key of build.toml or kbuild.toml with the value that is in effect.
struct EffectiveSetting {
    std::string path;        ///< `kernel.gemm.rocm-archs`
    std::string value;       ///< as TOML; `none` for a key without a default
    diag::SourceSpan origin; ///< of the value; «no place» if it is a default
};

/// Every key that the project's two files can have, in the order of their schemas; tables that are
/// not there have no rows, but for those of kbuild.toml. Mistakes are reported as in
/// read_project(). An Error (kind `config`) if there is no build.toml or a file cannot be read.
support::Result<std::vector<EffectiveSetting>> effective_settings(const std::filesystem::path& root,
                                                                  diag::Sink& sink);

} // namespace kbuild::config
