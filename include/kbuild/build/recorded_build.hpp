#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::build {

/// What a variant's build-provenance.json says of how to make it again.
struct RecordedBuild {
    std::string variant;                        ///< its name
    std::string id;                             ///< `_gemm_rocm_1a2b3c4`
    std::vector<std::string> archs;             ///< asked for; empty for cpu
    std::string policy;                         ///< `manylinux_2_28`
    std::string builder;                        ///< kbuild's version and commit
    std::map<std::string, std::string> inputs;  ///< files of the project -> SHA-256, hex
    std::map<std::string, std::string> sdks;    ///< `torch@2.13` -> fingerprint of its content
    std::map<std::string, std::string> outputs; ///< files of the variant -> SHA-256, hex
};

/// Reads the statement that kbuild writes. An Error of kind `content` for what is none of its.
support::Result<RecordedBuild> read_recorded_build(std::string_view json);

/// The recorded inputs that the project does not have as they were: `gemm/a.hip has other bytes`,
/// `… is missing`.
std::vector<std::string> changed_inputs(const RecordedBuild& recorded,
                                        const std::filesystem::path& project);

} // namespace kbuild::build
