#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/config/settings.hpp"
#include "kbuild/matrix/published.hpp"
#include "kbuild/model/sdk.hpp"
#include "kbuild/model/variant.hpp"
#include "kbuild/support/result.hpp"

#include <string>
#include <vector>

namespace kbuild::matrix {

/// What the command line narrows the matrix to; empty lists do not limit.
struct Filters {
    std::vector<std::string> variants; ///< names or globs
    std::vector<model::Version> torch; ///< compared by major.minor
    std::vector<model::Version> rocm;  ///< compared by major.minor; variants without ROCm stay
    std::vector<model::Backend> backends;
    bool require_all = false; ///< a wanted pair without an SDK is an error
};

/// A variant that will be built, with the SDKs it is built with.
struct Selected {
    model::Variant variant;
    const model::TorchSdk* torch = nullptr; ///< null for noarch: nothing is compiled
    const model::RocmSdk* rocm = nullptr;   ///< null for cpu and noarch
    bool published = false;                 ///< upstream publishes it too (data/matrix.json)
    std::string remark; ///< `no published torch wheel can load it`; empty for most
};

/// A variant that was considered and left out.
struct Excluded {
    enum class Cause {
        filter,  ///< the command line did not ask for it
        bounds,  ///< build.toml's torch bounds
        support, ///< kbuild cannot build this kind of variant yet
        sdk      ///< an SDK is missing
    };

    model::Variant variant;
    Cause cause = Cause::sdk;
    std::string reason;    ///< `no SDK for torch 2.14`
    std::string fix;       ///< a command: `kbuild toolchain add torch@2.14`; may be empty
    bool promised = false; ///< named by kbuild.toml's [matrix] or --require-all: an error
};

/// The outcome of the selection: everything considered is in one of the two lists, sorted by
/// variant name.
struct BuildSet {
    std::vector<Selected> selected;
    std::vector<Excluded> excluded;
    /// What else the user should know: listed backends that kbuild does not build, filters that fit
    /// nothing.
    std::vector<std::string> notes;
    std::size_t published_pairs =
        0; ///< how many published ROCm pairs the build.toml's bounds allow
    std::size_t published_selected = 0;
};

/// Pure. Candidates are kbuild.toml's [matrix]; without it the published pairs, and for the `cpu`
/// backend each torch of them. They are narrowed by the filters, by build.toml's bounds and by the
/// SDKs at hand; each exclusion keeps its reason. The result points into `rocm` and `torch`.
BuildSet select(const config::BuildConfig& config,
                const config::Settings& settings,
                const std::vector<model::RocmSdk>& rocm,
                const std::vector<model::TorchSdk>& torch,
                const Filters& filters);

/// The error that a selection amounts to; each lists the reasons and fixes. Kind `toolchain` if
/// something promised is missing, or if nothing is left and an SDK would help; kind `nothing` if
/// bounds and filters leave nothing.
support::Result<void> check_selection(const BuildSet& set);

} // namespace kbuild::matrix
