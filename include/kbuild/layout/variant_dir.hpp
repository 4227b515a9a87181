#pragma once

#include "kbuild/layout/metadata.hpp"
#include "kbuild/model/variant.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::layout {

/// SHA-256 of every file of a variant that upstream's digest covers (upstream.md 4.9), sorted by path.
support::Result<std::vector<DigestEntry>> digest_folder(const std::filesystem::path& variant_dir);

/// Ordered differences between the digest in metadata and the files: missing, different, unknown.
support::Result<std::vector<std::string>> compare_digest(const std::vector<DigestEntry>& expected,
                                                         const std::filesystem::path& variant_dir);

/// `_ops.py` of a torch extension: imports the library, exposes `ops` and `add_op_namespace_prefix`.
std::string ops_py(std::string_view ops_id);

/// A folder under build/ whose name parses as a variant and that holds metadata.json.
struct FoundVariant {
    model::Variant variant;
    std::filesystem::path path;
};

/// Variants of a project: of the first of DIR/result, DIR/build, DIR that has any (upstream.md 1.1), sorted by path;
/// a DIR that is a variant itself is that one. An Error of kind `nothing` names the places looked at.
support::Result<std::vector<FoundVariant>> discover(const std::filesystem::path& dir);

}  // namespace kbuild::layout
