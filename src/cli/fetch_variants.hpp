#pragma once

#include "hub_session.hpp"

#include "kbuild/cli/command.hpp"
#include "kbuild/publish/download.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kbuild::cli {

/// Files of published variants by the variant's name.
using Variants = std::map<std::string, std::vector<hub::TreeFile>>;

/// A state of a repository.
struct RepositoryState {
    hub::Repository repository;
    std::string commit;
};

/// A kernel on the Hub: its state that was asked for, and what it has there.
struct PublishedKernel {
    HubSession session;
    RepositoryState state;
    Variants variants; ///< not empty
};

/// Looks up `owner/name[@VERSION or REVISION]`, a repository of the type that `--repo-type` says.
/// An Error of kind `nothing` if it has no variant.
support::Result<PublishedKernel>
find_published(const Context& context, const std::string& repo_type, const std::string& spec);

/// Fetches variants into `<target>/build/<variant>` and shows on stderr how it goes on.
support::Result<publish::DownloadSummary> fetch_variants(const Context& context,
                                                         const PublishedKernel& kernel,
                                                         const Variants& variants,
                                                         const std::filesystem::path& target);

} // namespace kbuild::cli
