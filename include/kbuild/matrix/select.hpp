#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/config/settings.hpp"
#include "kbuild/model/sdk.hpp"
#include "kbuild/model/variant.hpp"
#include "kbuild/support/result.hpp"

#include <string>
#include <vector>

namespace kbuild::matrix {

/// What the command line narrows the matrix to; empty lists do not limit.
struct Filters {
    std::vector<std::string> variants;  ///< names or globs
    std::vector<model::Version> torch;
    std::vector<model::Version> rocm;
    std::vector<model::Backend> backends;
    bool require_all = false;           ///< a wanted pair without an SDK is an error
};

/// A variant that will be built, with the SDKs it is built with.
struct Selected {
    model::Variant variant;
    const model::TorchSdk* torch = nullptr;
    const model::RocmSdk* rocm = nullptr;  ///< null for cpu
    bool published = false;   ///< one of the pairs that upstream publishes (data/matrix.toml)
    std::string remark;       ///< `no published torch wheel can load it`; empty for most
};

/// A variant that was considered and left out.
struct Excluded {
    model::Variant variant;
    std::string reason;  ///< `no SDK for torch 2.14`
    std::string fix;     ///< `kbuild toolchain add torch@2.14`; may be empty
    bool promised = false;  ///< named by kbuild.toml's [matrix] or --require-all: an error
};

/// The outcome of the selection: everything considered is in one of the two lists, sorted by variant name.
struct BuildSet {
    std::vector<Selected> selected;
    std::vector<Excluded> excluded;
    std::size_t published_pairs = 0;  ///< how many published ROCm pairs the build.toml's bounds allow
    std::size_t published_selected = 0;
};

/// The published matrix: which torch and ROCm versions upstream's loader users have (embedded data).
struct PublishedMatrix {
    std::vector<model::Version> torch;
    std::vector<model::Version> rocm;
};
PublishedMatrix published_matrix();

/// Pure. Candidates are kbuild.toml's [matrix] (or, without it, the published one plus nothing else), narrowed by
/// build.toml's bounds, by the SDKs at hand and by the filters; each exclusion keeps its reason.
BuildSet select(const config::BuildConfig& config,
                const config::Settings& settings,
                const std::vector<model::RocmSdk>& rocm,
                const std::vector<model::TorchSdk>& torch,
                const Filters& filters);

/// The error that a selection amounts to: kind `toolchain` if something promised is missing, kind `nothing` if
/// nothing is left; each lists the reasons and fixes.
support::Result<void> check_selection(const BuildSet& set);

}  // namespace kbuild::matrix
