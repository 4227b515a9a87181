#pragma once

#include "kbuild/model/version.hpp"

#include <map>
#include <string>
#include <vector>

namespace kbuild::matrix {

/// The published matrix: which torch and ROCm versions the users of upstream's loader have.
/// Embedded data (data/matrix.json); versions are major.minor.
struct PublishedMatrix {
    std::string date;                  ///< of the data, `2026-12-01`
    std::vector<model::Version> torch; ///< sorted
    std::vector<model::Version> rocm;  ///< sorted
    std::string rocm_cpu;              ///< ROCm variants are published for this CPU only
    /// Torch version -> the ROCm versions that a published wheel of it is built for.
    std::map<model::Version, std::vector<model::Version>> wheels;
    /// ROCm versions that `kbuild toolchain add` cannot fetch, with the reason.
    std::map<model::Version, std::string> not_fetched;

    bool has_pair(const model::Version& torch_version, const model::Version& rocm_version) const;
    bool has_wheel(const model::Version& torch_version, const model::Version& rocm_version) const;
};

const PublishedMatrix& published_matrix();

} // namespace kbuild::matrix
