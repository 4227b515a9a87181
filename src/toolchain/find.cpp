#include "kbuild/toolchain/find.hpp"

#include "manifest.hpp"
#include "pip_rocm.hpp"
#include "probe_rocm.hpp"
#include "torch_place.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/toolchain/local_torch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kbuild::toolchain {
namespace {

using support::Result;
namespace fs = std::filesystem;

/// A ROCm prefix that kbuild made says what it is itself.
Result<model::RocmSdk> probe_anything(const fs::path& root) {
    if (support::is_file(root / kManifestName))
        return read_rocm_manifest(root);
    return probe_rocm(root);
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
        all.found.problems.push_back(place.error().message);
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
        all.found.problems.push_back(probed.error().to_string());
        return;
    }
    if (probed->name.empty()) {
        probed->name = probed->root.string();
        probed->provider = provider;
    }
    all.add(std::move(*probed));
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
        auto probed = probe_anything(fs::absolute(path, code).lexically_normal());
        if (!probed)
            return support::pass_on(std::move(probed), fmt::format("`--rocm {}`", path.string()));
        add_probed(all, std::move(probed), "path");
    }
    if (options.rocm_environment)
        add_probed(all, probe_anything(*options.rocm_environment), "environment");
    for (const auto& root : installed_roots(options.opt))
        add_probed(all, probe_anything(root), "opt");
    for (const auto& site : options.python_sites)
        if (auto probed = probe_pip_rocm(site))
            add_probed(all, std::move(*probed), "pip");
    for (const auto& site : options.python_sites)
        mention_torch_in(all, site, options);
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
