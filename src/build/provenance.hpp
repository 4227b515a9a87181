#pragma once

#include "kbuild/build/stage.hpp"
#include "kbuild/layout/metadata.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kbuild::build {

/// A file by its path, and its SHA-256 in hex.
using HashedFile = std::pair<std::string, std::string>;

/// Everything that a provenance says, besides what kbuild knows of itself.
struct ProvenanceFacts {
    const PlannedVariant& variant;
    std::string policy;
    std::string baseline; ///< name of its folder, which ends in a hash of its content; may be empty
    std::vector<RecordedCommand> commands;
    std::vector<std::string> compilers; ///< as the library itself names them (.comment); sorted
    std::vector<HashedFile> inputs;     ///< of the project
    std::optional<layout::CommitState> kernel;
    std::vector<HashedFile> files; ///< of the variant, without this one
};

/// An in-toto statement (v1) with a SLSA provenance (v1) as predicate. Without times and places, so
/// that equal builds have equal provenance.
support::Result<std::string> provenance_text(const ProvenanceFacts& facts);

/// The compilers that made a library, by its section `.comment`; sorted, each once.
std::vector<std::string> compilers_of(const std::filesystem::path& library);

} // namespace kbuild::build
