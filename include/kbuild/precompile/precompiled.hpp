#pragma once

#include "kbuild/precompile/request.hpp"
#include "kbuild/support/result.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::precompile {

/// A precompiled header and what is known of the headers in it.
struct Precompiled {
    std::filesystem::path file;
    std::vector<std::filesystem::path> headers; ///< all that were read, sorted
    std::string identifiers; ///< all words in them, sorted, each between two newlines

    /// Whether a macro of this name could change what the headers mean.
    bool mentions(std::string_view name) const;

    /// Whether a file of `folder` would be taken in the place of one of these headers if `folder`
    /// were searched first. `roots` are the folders that units search for headers of SDKs.
    bool shadowed_by(const std::filesystem::path& folder,
                     const std::vector<std::string>& roots) const;
};

/// Where precompiled headers are kept, one folder each: `$XDG_DATA_HOME/kbuild/precompiled` beside
/// the SDKs, so that whoever shares these and a remote cache shares objects too; where SDKs may
/// only be read `$XDG_CACHE_HOME/kbuild/precompiled`.
std::filesystem::path default_folder();

/// The one for `request` in `folder` if it is there and none of its headers changed since.
/// An Error of kind `nothing` if not.
support::Result<Precompiled> find(const std::filesystem::path& folder, const Request& request);

/// The same, made where it is missing; a compiler that refuses is an Error of kind `failed` with
/// its output. Two that want the same one share the work.
support::Result<Precompiled> ensure(const std::filesystem::path& folder, const Request& request);

/// What they may have together before builds prune them: those of a dozen SDKs.
inline constexpr std::uintmax_t kMaximum = 10ULL << 30U;

/// Removes the least recently used ones until all together have at most `bytes`, but none that was
/// used within `keep`; how many bytes went.
support::Result<std::uintmax_t>
prune(const std::filesystem::path& folder, std::uintmax_t bytes, std::chrono::seconds keep);

} // namespace kbuild::precompile
