#pragma once

#include "catalog.hpp"
#include "torch_place.hpp"

#include "kbuild/toolchain/add.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

namespace kbuild::toolchain {

/// Which packages make a ROCm, in either layout.
struct RocmRules {
    RocmPackages debian;
    AmdPackages amd;
};

/// Where an SDK is made.
struct Places {
    std::filesystem::path downloads; ///< kept until it is complete
    std::filesystem::path staging;
    std::filesystem::path final_place;
};

/// What was made.
struct Prepared {
    model::Version version; ///< major.minor
    /// For how long files were fetched; none if they were saved ones.
    std::optional<std::chrono::duration<double>> fetching;
};

/// Fills the staging folder with a ROCm SDK from a distribution's archive or saved files, and
/// returns the recipe's version; or does nothing and returns the HIP that the archive carries
/// instead.
support::Result<Prepared> prepare_rocm(const RocmRecipe& recipe,
                                       const RocmRules& rules,
                                       const Places& places,
                                       const OnProgress& on_progress,
                                       const AddOptions& options);

/// Fills the staging folder with a torch SDK from a wheel that pip fetches or that was saved.
support::Result<Prepared> prepare_torch(const TorchRecipe& recipe,
                                        const Places& places,
                                        const OnProgress& on_progress,
                                        const AddOptions& options);

/// Fills the staging folder with a torch SDK from what lies on this machine.
support::Result<void>
prepare_torch_place(const TorchPlace& place, const Places& places, const OnProgress& on_progress);

/// Only fetches what prepare_… would, into `downloads`, and saves it.
support::Result<void> save_rocm(const RocmRecipe& recipe,
                                const RocmRules& rules,
                                const std::filesystem::path& downloads,
                                const OnProgress& on_progress,
                                const AddOptions& options);
support::Result<void> save_torch(const TorchRecipe& recipe,
                                 const std::filesystem::path& downloads,
                                 const OnProgress& on_progress,
                                 const AddOptions& options);

/// How long `fetch` takes, which is how long files are fetched; none if they are saved ones.
template <typename Fetch>
auto timed_fetch(const AddOptions& options, Fetch fetch)
    -> std::pair<decltype(fetch()), std::optional<std::chrono::duration<double>>> {
    const auto begin = std::chrono::steady_clock::now();
    auto fetched = fetch();
    if (options.from)
        return {std::move(fetched), std::nullopt};
    return {std::move(fetched), std::chrono::steady_clock::now() - begin};
}

/// The extra libraries of these names; an Error of kind `usage` for one that is not known.
support::Result<std::vector<ExtraLibrary>> extra_of(const std::vector<std::string>& names);

/// The folder of an SDK's files below `from` or `save`: `rocm-6.4`.
std::string archive_name(const SdkRequest& request);

/// An Error of kind `toolchain` that names each file that differs from the wanted ones, if any are
/// wanted.
support::Result<void> check_wanted(const SdkRequest& request,
                                   const AddOptions& options,
                                   const std::vector<FetchedFile>& there);

} // namespace kbuild::toolchain
