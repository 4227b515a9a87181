#include "kbuild/toolchain/find.hpp"

#include "manifest.hpp"
#include "pip_rocm.hpp"
#include "probe_rocm.hpp"
#include "problem.hpp"
#include "torch_place.hpp"
#include "usr_rocm.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/toolchain/local_torch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kbuild::toolchain {
namespace {

using support::Result;
namespace fs = std::filesystem;

/// A ROCm prefix that kbuild made says what it is itself; a distribution's has no prefix.
Result<model::RocmSdk> probe_anything(const fs::path& root, const FindOptions& options) {
    if (support::is_file(root / kManifestName))
        return read_rocm_manifest(root);
    return has_usr_rocm(root) ? probe_usr_rocm(Store(options.store), root) : probe_rocm(root);
}

/// Collects what is found in the order of precedence.
struct Collection {
    FoundSdks found;
    std::set<fs::path> seen; ///< real paths: /opt/rocm is a link to /opt/rocm-7.1 as a rule

    void add(model::RocmSdk sdk) {
        std::error_code code;
        const auto real = fs::canonical(sdk.root, code);
        if (!code && !seen.insert(real).second)
            return;
        const auto same =
            std::find_if(found.rocm.begin(), found.rocm.end(), [&](const auto& other) {
                return other.short_version() == sdk.short_version();
            });
        if (same == found.rocm.end())
            found.rocm.push_back(std::move(sdk));
        else
            found.shadowed.push_back(fmt::format("ROCm {} in `{}`: the one in `{}` is used",
                                                 sdk.full_version,
                                                 sdk.root.string(),
                                                 same->root.string()));
    }

    void add(model::TorchSdk sdk) {
        const auto same =
            std::find_if(found.torch.begin(), found.torch.end(), [&](const auto& other) {
                return other.short_version() == sdk.short_version();
            });
        if (same == found.torch.end())
            found.torch.push_back(std::move(sdk));
        else
            found.shadowed.push_back(fmt::format("torch {} in `{}`: {} of `{}` is used",
                                                 sdk.full_version,
                                                 sdk.root.string(),
                                                 same->full_version,
                                                 same->place.string()));
    }
};

Result<void> add_local_torches(Collection& all, const FindOptions& options) {
    const Store store(options.store);
    const auto say = [&](const std::string& line) {
        if (options.on_progress)
            options.on_progress(line);
    };
    for (const auto& path : options.torch_paths) {
        auto sdk = local_torch(store, path, say);
        if (!sdk)
            return support::pass_on(std::move(sdk), fmt::format("`--torch {}`", path.string()));
        all.add(std::move(*sdk));
    }
    return {};
}

/// The torch of a Python environment is named, not used: it may be there for anything.
void mention_torch_in(Collection& all, const fs::path& site, const FindOptions& options) {
    if (!support::is_folder(site / "torch"))
        return;
    const auto place = torch_in_site(site);
    if (!place) {
        all.found.problems.push_back(to_problem(place.error()));
        return;
    }
    for (const auto& asked : options.torch_paths)
        if (const auto other = find_torch_place(asked); other && other->path == place->path)
            return;
    all.found.shadowed.push_back(
        fmt::format("torch {} ({} build) in `{}` is used with `--torch {}` alone",
                    place->version.full,
                    model::to_string(place->version.build),
                    site.string(),
                    site.string()));
}

void add_probed(Collection& all, Result<model::RocmSdk> probed, const std::string& provider) {
    if (!probed) {
        all.found.problems.push_back(to_problem(std::move(probed.error())));
        return;
    }
    if (probed->name.empty()) {
        probed->name = probed->root.string();
        probed->provider = provider;
    }
    all.add(std::move(*probed));
}

void add_environment(Collection& all, const FindOptions& options) {
    auto probed = probe_anything(*options.rocm_environment, options);
    if (!probed) {
        auto& error = probed.error();
        error.message =
            fmt::format("`{}` names no usable ROCm: {}", options.rocm_variable, error.message);
        if (error.hint.empty())
            error.hint = fmt::format("unset `{}`, or set it to a ROCm", options.rocm_variable);
    }
    add_probed(all, std::move(probed), "environment");
}

/// ROCM_PATH and HIP_PATH that name two ROCms: most tools would take parts of each. (HIP_PATH may
/// also be the `hip` folder of an older release.)
void warn_of_two_roots(Collection& all, const FindOptions& options) {
    if (!options.rocm_environment || !options.hip_environment)
        return;
    std::error_code code;
    const auto rocm = fs::weakly_canonical(*options.rocm_environment, code);
    const auto hip = fs::weakly_canonical(*options.hip_environment, code);
    if (rocm != hip && rocm / "hip" != hip)
        all.found.problems.push_back(
            fmt::format("`ROCM_PATH` (`{}`) and `HIP_PATH` (`{}`) name two ROCms: `ROCM_PATH` is "
                        "used; unset one of them",
                        options.rocm_environment->string(),
                        options.hip_environment->string()));
}

/// `rocm*` folders below /opt; newest last by name, so the plain link `rocm` comes first and names
/// the default.
std::vector<fs::path> installed_roots(const fs::path& opt) {
    std::vector<fs::path> roots;
    const auto names = support::list_names(opt);
    for (const auto& name : names.value_or(std::vector<std::string>()))
        if (name.starts_with("rocm") && support::is_folder(opt / name / "include"))
            roots.push_back(opt / name);
    return roots;
}

} // namespace

Result<FoundSdks> find_sdks(const FindOptions& options) {
    Collection all;
    for (const auto& path : options.rocm_paths) {
        std::error_code code;
        auto probed = probe_anything(fs::absolute(path, code).lexically_normal(), options);
        if (!probed)
            return support::pass_on(std::move(probed), fmt::format("`--rocm {}`", path.string()));
        add_probed(all, std::move(probed), "path");
    }
    warn_of_two_roots(all, options);
    if (options.rocm_environment)
        add_environment(all, options);
    for (const auto& root : installed_roots(options.opt))
        add_probed(all, probe_anything(root, options), "opt");
    for (const auto& site : options.python_sites)
        if (auto probed = probe_pip_rocm(site))
            add_probed(all, std::move(*probed), "pip");
    for (const auto& site : options.python_sites)
        mention_torch_in(all, site, options);
    if (!options.usr.empty() && has_usr_rocm(options.usr))
        add_probed(all, probe_anything(options.usr, options), "distribution");
    const Store store(options.store);
    for (auto& sdk : store.rocm_sdks(&all.found.problems))
        all.add(std::move(sdk));
    KB_TRY(add_local_torches(all, options));
    for (auto& sdk : store.torch_sdks(&all.found.problems))
        all.add(std::move(sdk));
    std::sort(all.found.torch.begin(), all.found.torch.end(), [](const auto& a, const auto& b) {
        return a.version < b.version;
    });
    std::sort(all.found.rocm.begin(), all.found.rocm.end(), [](const auto& a, const auto& b) {
        return a.version < b.version;
    });
    return std::move(all.found);
}

} // namespace kbuild::toolchain
