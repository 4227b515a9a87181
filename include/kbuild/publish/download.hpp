#pragma once

#include "kbuild/hub/api.hpp"
#include "kbuild/model/variant.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::publish {

/// `owner/name`, `owner/name@3` (version 3, the branch `v3`) or `owner/name@REVISION` (a branch, a
/// tag or a commit).
struct KernelSpec {
    hub::Repository repository;
    std::optional<std::uint64_t> version;
    std::string revision; ///< empty: the version, or the newest one

    static support::Result<KernelSpec> parse(hub::RepositoryType type, std::string_view text);
};

/// A version that is published: its branch and head.
struct PublishedVersion {
    std::uint64_t version = 0;
    std::string commit;
};

/// Branches called `v<number>`, by number.
std::vector<PublishedVersion> published_versions(const hub::Refs& refs);

/// The commit that a spec means. An Error of kind `network` lists what there is.
support::Result<std::string> resolve_commit(const hub::Connection& connection,
                                            const KernelSpec& spec);

/// Files below `build/` by variant; folders whose names are no variant are left out.
std::map<std::string, std::vector<hub::TreeFile>>
variants_of(const std::vector<hub::TreeFile>& files);

/// What a download did.
struct DownloadSummary {
    std::size_t variants = 0;
    std::size_t files = 0;   ///< fetched
    std::size_t present = 0; ///< that were there already
    std::uint64_t bytes = 0; ///< fetched
};

/// Puts variants into `<target>/build/<variant>`, a folder that `LOCAL_KERNELS` takes: each file's
/// hash is checked, a variant appears when it is whole, and an interrupted download goes on. What a
/// variant's folder held before is replaced.
support::Result<DownloadSummary>
download_variants(const hub::Connection& connection,
                  const hub::Repository& repository,
                  const std::string& commit,
                  const std::map<std::string, std::vector<hub::TreeFile>>& variants,
                  const std::filesystem::path& target,
                  const std::function<void(std::int64_t)>& on_bytes);

} // namespace kbuild::publish
