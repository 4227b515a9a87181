#pragma once

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

/// Fetches variants into `<target>/build/<variant>` and shows on stderr how it goes on.
support::Result<publish::DownloadSummary> fetch_variants(const Context& context,
                                                         const hub::Connection& connection,
                                                         const RepositoryState& state,
                                                         const Variants& variants,
                                                         const std::filesystem::path& target);

} // namespace kbuild::cli
