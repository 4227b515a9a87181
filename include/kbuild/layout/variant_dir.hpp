#pragma once

#include "kbuild/layout/metadata.hpp"
#include "kbuild/model/variant.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::layout {

/// What each variant that kbuild builds holds besides what upstream lays out: how it was built.
inline constexpr std::string_view kProvenanceName = "build-provenance.json";

/// SHA-256 of every file that upstream's digest covers (upstream.md 4.9), sorted by path: regular
/// files below the folder and links to such files (links to folders are not followed), without
/// `metadata.json` and `metadata.json.sigstore` at the top, `*.pyc` and `__pycache__`.
support::Result<std::vector<DigestEntry>> digest_folder(const std::filesystem::path& variant_dir);

/// A difference between the digest in metadata and the files.
struct DigestDifference {
    enum class Kind { missing, different, unknown };
    Kind kind = Kind::missing;
    std::string path;
    bool operator==(const DigestDifference&) const = default;
};

/// Differences in upstream's order: missing and different files by path, then unknown ones by path.
support::Result<std::vector<DigestDifference>>
compare_digest(const std::vector<DigestEntry>& expected, const std::filesystem::path& variant_dir);

/// `_ops.py` of a torch extension: imports the library from its own package, exposes `ops` and
/// `add_op_namespace_prefix` (upstream.md 3.8). `ops_id` is a Python identifier (model::ops_id).
std::string ops_py(std::string_view ops_id);

/// The same for a package of Python files, which has no library to import. Each backend's variant
/// has its own, so that it need not find out at import which one it is.
std::string noarch_ops_py(std::string_view ops_id);

/// The folder's own name, also of `.` and of `build/x/`.
std::string folder_name(const std::filesystem::path& folder);

/// A folder under build/ whose name parses as a variant and that holds metadata.json.
struct FoundVariant {
    model::Variant variant;
    std::filesystem::path path;
};

/// Variants of a project: of the first of DIR/result, DIR/build, DIR that has any
/// (upstream.md 1.1), sorted by path; a DIR that is a variant itself is that one. An Error of kind
/// `nothing` names the places looked at.
support::Result<std::vector<FoundVariant>> discover(const std::filesystem::path& dir);

/// As discover(), but also what is only meant to be a variant and is not a good one: a folder that
/// holds metadata.json under a name that no loader knows, and one that is named like a variant and
/// has no metadata.json.
support::Result<std::vector<std::filesystem::path>>
discover_folders(const std::filesystem::path& dir);

} // namespace kbuild::layout
