#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/config/settings.hpp"
#include "kbuild/matrix/published.hpp"
#include "kbuild/model/variant.hpp"

#include <vector>

namespace kbuild::matrix {

/// A variant that might be built, before anything is asked about it.
struct Candidate {
    model::Variant variant;
    bool torch_promised = false; ///< its torch is named by kbuild.toml's [matrix]
    bool rocm_promised = false;
};

/// The torch and ROCm versions that are combined (major.minor, sorted, each once).
std::vector<model::Version> torch_versions(const config::Settings& settings);
std::vector<model::Version> rocm_versions(const config::Settings& settings);

/// One candidate per torch for `cpu`, per pair for `rocm`, one for a backend that gets Python files
/// only; sorted by name. Stable-ABI variants have the version that build.toml says, whatever torch
/// they are built with.
std::vector<Candidate> candidates(const config::BuildConfig& config,
                                  const config::Settings& settings);

} // namespace kbuild::matrix
