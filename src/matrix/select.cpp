#include "kbuild/matrix/select.hpp"

#include "candidates.hpp"
#include "notes.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::matrix {
namespace {

using model::Backend;
using model::Variant;
using model::Version;

bool names_version(const std::vector<Version>& versions, const Version& version) {
    return std::any_of(versions.begin(), versions.end(), [&](const Version& other) {
        return other.major_minor() == version;
    });
}

bool fits_name(const std::vector<std::string>& patterns, const std::string& name) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return support::matches_glob(pattern, name);
    });
}

/// The option that did not ask for the variant; empty if all did.
std::string unasked_by(const Variant& variant, const Filters& filters) {
    const bool has_torch = variant.framework == Variant::Framework::torch;
    const bool has_rocm =
        variant.backend == Backend::rocm && variant.framework != Variant::Framework::noarch;
    if (!filters.variants.empty() && !fits_name(filters.variants, variant.name()))
        return "--variant";
    if (!filters.backends.empty() &&
        std::find(filters.backends.begin(), filters.backends.end(), variant.backend) ==
            filters.backends.end())
        return "--backend";
    if (!filters.torch.empty() && has_torch &&
        !names_version(filters.torch, variant.framework_version))
        return "--torch";
    if (!filters.rocm.empty() && has_rocm && !names_version(filters.rocm, variant.backend_version))
        return "--rocm";
    return {};
}

/// Why build.toml's bounds forbid a torch; empty if they do not.
///
/// By major.minor, both ends inclusive: so does upstream's Nix, which decides what is published.
/// (Its generated CMake compares full versions, so that 2.12.1 is above a maxver of 2.12:
/// upstream.md 2.8. A variant is named and loaded by major.minor, so a patch release must not
/// change whether it exists.)
std::string out_of_bounds(const model::VersionRange& bounds, const Version& torch) {
    if (bounds.min && torch < bounds.min->major_minor())
        return fmt::format(
            "torch {} is below `torch.minver` {}", torch.dotted(), bounds.min->to_string());
    if (bounds.max && bounds.max->major_minor() < torch)
        return fmt::format(
            "torch {} is above `torch.maxver` {}", torch.dotted(), bounds.max->to_string());
    return {};
}

/// Why kbuild cannot build this kind of variant; empty if it can.
std::string unsupported(const Variant& variant) {
    switch (variant.framework) {
    case Variant::Framework::torch:
    case Variant::Framework::torch_stable_abi:
    case Variant::Framework::noarch:
        return {};
    case Variant::Framework::tvm_ffi:
        return "`tvm-ffi` variants cannot be built yet";
    }
    return {};
}

template <typename Sdk> const Sdk* find_sdk(const std::vector<Sdk>& sdks, const Version& version) {
    const auto found = std::find_if(
        sdks.begin(), sdks.end(), [&](const Sdk& sdk) { return sdk.short_version() == version; });
    return found == sdks.end() ? nullptr : &*found;
}

/// The torch that a variant is built with. A stable-ABI variant runs with every torch from its
/// version on and is built once, with the newest at hand, as upstream does (upstream.md 3.11).
const model::TorchSdk* find_torch(const std::vector<model::TorchSdk>& sdks,
                                  const Variant& variant) {
    if (variant.framework != Variant::Framework::torch_stable_abi)
        return find_sdk(sdks, variant.framework_version);
    const model::TorchSdk* newest = nullptr;
    for (const auto& sdk : sdks)
        if (variant.framework_version <= sdk.short_version() &&
            (newest == nullptr || newest->version < sdk.version))
            newest = &sdk;
    return newest;
}

/// The torch whose SDK is to be got for a variant.
Version wanted_torch(const Variant& variant) {
    return variant.framework == Variant::Framework::torch_stable_abi
               ? std::max(variant.framework_version, published_matrix().torch.back())
               : variant.framework_version;
}

/// Fills reason and fix for the SDKs that are not there.
void explain_missing(Excluded& excluded,
                     bool torch_missing,
                     bool rocm_missing,
                     const model::SdkSources& sources) {
    const auto& variant = excluded.variant;
    std::vector<std::string> what;
    std::string fetch;
    if (torch_missing) {
        what.push_back("torch " + wanted_torch(variant).dotted());
        fetch += " torch@" + wanted_torch(variant).dotted();
    }
    std::string aside;
    bool can_be_fetched = true;
    if (rocm_missing) {
        what.push_back("ROCm " + variant.backend_version.dotted());
        const auto& not_fetched = published_matrix().not_fetched;
        const auto found = not_fetched.find(variant.backend_version);
        can_be_fetched = found == not_fetched.end() || sources.has_rocm(variant.backend_version);
        if (can_be_fetched)
            fetch += " rocm@" + variant.backend_version.dotted();
        else
            aside = ", which " + found->second;
    }
    excluded.reason = fmt::format("no SDK for {}{}", support::join(what, " and "), aside);
    excluded.fix = can_be_fetched ? "kbuild toolchain add" + fetch : "kbuild build --rocm PATH";
}

/// Why a torch does not serve a ROCm; empty if it does.
std::string mismatch(const model::TorchSdk& torch, const Version& rocm) {
    if (!torch.no_rocm.empty())
        return torch.no_rocm;
    if (torch.rocm && *torch.rocm != rocm)
        return fmt::format("torch {} was built for ROCm {}, not for {}",
                           torch.full_version,
                           torch.rocm->dotted(),
                           rocm.dotted());
    return {};
}

struct Inputs {
    const config::BuildConfig& config;
    const config::Settings& settings;
    const std::vector<model::RocmSdk>& rocm;
    const std::vector<model::TorchSdk>& torch;
    const Filters& filters;
};

/// Why a candidate is out before any SDK is looked for.
std::optional<Excluded> rule_out(const Candidate& candidate, const Inputs& inputs) {
    using Cause = Excluded::Cause;
    const auto& variant = candidate.variant;
    if (const auto option = unasked_by(variant, inputs.filters); !option.empty())
        return Excluded{variant, Cause::filter, fmt::format("`{}` does not ask for it", option)};
    if (auto reason = unsupported(variant); !reason.empty())
        return Excluded{variant, Cause::support, std::move(reason)};
    // Bounds are about the torch that is compiled with: a stable-ABI variant names the oldest that
    // it runs with, and Python files are not compiled.
    if (variant.framework != Variant::Framework::torch)
        return std::nullopt;
    auto reason = out_of_bounds(inputs.config.framework.versions, variant.framework_version);
    if (!reason.empty())
        return Excluded{variant, Cause::bounds, std::move(reason)};
    return std::nullopt;
}

/// What upstream's matrix and wheels say about a variant that will be built.
void compare_with_published(Selected& selected) {
    const auto& published = published_matrix();
    const auto& variant = selected.variant;
    if (variant.framework == Variant::Framework::torch_stable_abi) {
        selected.published =
            selected.rocm == nullptr || names_version(published.rocm, variant.backend_version);
    } else if (selected.rocm != nullptr) {
        selected.published = variant.cpu == published.rocm_cpu &&
                             published.has_pair(variant.framework_version, variant.backend_version);
        if (!published.has_wheel(variant.framework_version, variant.backend_version))
            selected.remark = "no published torch wheel can load it";
    } else {
        selected.published = names_version(published.torch, variant.framework_version);
    }
}

void place(const Candidate& candidate, const Inputs& inputs, BuildSet& set) {
    if (auto excluded = rule_out(candidate, inputs)) {
        set.excluded.push_back(std::move(*excluded));
        return;
    }
    const auto& variant = candidate.variant;
    if (variant.framework == Variant::Framework::noarch) {
        set.selected.push_back({variant, nullptr, nullptr, true});
        return;
    }
    const bool wants_rocm = variant.backend == Backend::rocm;
    const auto* const torch = find_torch(inputs.torch, variant);
    const auto* const rocm = wants_rocm ? find_sdk(inputs.rocm, variant.backend_version) : nullptr;
    const bool rocm_missing = wants_rocm && rocm == nullptr;
    if (torch == nullptr || rocm_missing) {
        Excluded excluded{variant, Excluded::Cause::sdk};
        explain_missing(excluded, torch == nullptr, rocm_missing, inputs.settings.sources);
        excluded.promised = inputs.filters.require_all ||
                            (torch == nullptr && candidate.torch_promised) ||
                            (rocm_missing && candidate.rocm_promised);
        set.excluded.push_back(std::move(excluded));
        return;
    }
    if (auto reason = wants_rocm ? mismatch(*torch, rocm->short_version()) : std::string();
        !reason.empty()) {
        Excluded excluded{variant, Excluded::Cause::sdk, std::move(reason)};
        excluded.promised = inputs.filters.require_all || candidate.torch_promised;
        set.excluded.push_back(std::move(excluded));
        return;
    }
    Selected selected{variant, torch, rocm};
    compare_with_published(selected);
    set.selected.push_back(std::move(selected));
}

void count_published(const config::BuildConfig& config, BuildSet& set) {
    const auto& published = published_matrix();
    if (config.kernels_of(Backend::rocm).empty() || !config.has_backend(Backend::rocm))
        return;
    if (config.framework.kind != config::FrameworkKind::torch)
        return;
    const bool stable = config.framework.stable_abi.count(Backend::rocm) != 0;
    if (stable)
        set.published_pairs = published.rocm.size();
    for (const auto& torch : published.torch)
        if (!stable && out_of_bounds(config.framework.versions, torch).empty())
            set.published_pairs += published.rocm.size();
    set.published_selected = static_cast<std::size_t>(
        std::count_if(set.selected.begin(), set.selected.end(), [](const Selected& selected) {
            return selected.published && selected.rocm != nullptr;
        }));
}

} // namespace

BuildSet select(const config::BuildConfig& config,
                const config::Settings& settings,
                const std::vector<model::RocmSdk>& rocm,
                const std::vector<model::TorchSdk>& torch,
                const Filters& filters) {
    const Inputs inputs{config, settings, rocm, torch, filters};
    const auto all = candidates(config, settings);
    BuildSet set;
    for (const auto& candidate : all)
        place(candidate, inputs, set);
    count_published(config, set);
    set.notes = selection_notes(config, settings, filters, all);
    return set;
}

} // namespace kbuild::matrix
