#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/layout/metadata.hpp"
#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::publish {

/// Files up to this size also get the id that git would give them: the Hub keeps larger ones under
/// LFS.
inline constexpr std::uint64_t kMaxRegular = 16U << 20U;

/// A file as it is to be in the repository.
struct LocalFile {
    std::string path;             ///< in the repository, with `/`
    std::filesystem::path source; ///< where it is; empty: its bytes are `text`
    std::string text;
    std::uint64_t size = 0;
    std::string sha256;  ///< of the content, hex
    std::string blob_id; ///< git's id of the content; empty above kMaxRegular
};

/// A finished variant folder that is to be published.
struct LocalVariant {
    std::string name;
    std::filesystem::path folder;
    layout::Metadata metadata;
    std::vector<LocalFile> files; ///< paths `build/<name>/…`, sorted
};

/// Everything that an upload may send.
struct LocalContent {
    std::vector<LocalVariant> variants; ///< sorted by name
    bool has_benchmarks = false;        ///< the project has a folder `benchmarks`
    std::vector<LocalFile> benchmarks;  ///< `benchmarks/benchmark*.py`
    std::optional<LocalFile> readme;    ///< README.md, made from CARD.md
};

/// What may be in a variant besides `*.py`, `*.pyi`, `*.so`, `metadata.json`,
/// `metadata.json.sigstore` and licence texts.
struct AllowList {
    std::vector<std::string> data_extensions; ///< of build.toml's `pyext`, without the dot
};

/// Whether a file at `path` (relative to the variant) belongs into one.
bool belongs(const AllowList& allowed, const std::filesystem::path& path);

/// Reads variant folders: every file with its hashes. What does not belong there (K1001), links
/// and special files (K1002) are reported, all of them. An Error if a file cannot be read.
support::Result<std::vector<LocalVariant>> collect_variants(
    const std::vector<std::filesystem::path>& folders, const AllowList& allowed, diag::Sink& sink);

/// `benchmark*.py` directly in `<project>/benchmarks` (upstream.md 6.2).
support::Result<std::vector<LocalFile>> collect_benchmarks(const std::filesystem::path& project);

/// A file whose content is `text`.
LocalFile text_file(std::string path, std::string text);

/// The bytes of a file, which must still be what was hashed.
support::Result<std::string> read_content(const LocalFile& file);

} // namespace kbuild::publish
