#include "candidates.hpp"

#include <algorithm>

namespace kbuild::matrix {
namespace {

using model::Backend;
using model::Variant;
using model::Version;

std::vector<Version> chosen(const std::optional<std::vector<config::Spanned<Version>>>& named,
                            const std::vector<Version>& published) {
    if (!named)
        return published;
    std::vector<Version> versions;
    for (const auto& version : *named)
        versions.push_back(version.value.major_minor());
    std::sort(versions.begin(), versions.end());
    versions.erase(std::unique(versions.begin(), versions.end()), versions.end());
    return versions;
}

Variant noarch_variant(Backend backend) {
    Variant variant;
    variant.framework = Variant::Framework::noarch;
    variant.backend = backend;
    variant.noarch_name = to_string(backend);
    return variant;
}

Variant native_variant(const config::BuildConfig& config, Backend backend, const Version& torch) {
    Variant variant;
    variant.backend = backend;
    variant.framework_version = torch;
    variant.cpu = model::host_cpu();
    variant.os = "linux";
    const auto stable = config.framework.stable_abi.find(backend);
    if (config.framework.kind == config::FrameworkKind::tvm_ffi) {
        variant.framework = Variant::Framework::tvm_ffi;
    } else if (stable != config.framework.stable_abi.end()) {
        variant.framework = Variant::Framework::torch_stable_abi;
        variant.framework_version = stable->second.major_minor();
    } else {
        variant.cxx_abi = "cxx11";
    }
    return variant;
}

/// A backend without compiled code gets a package of Python files (upstream.md 2.8, 4.1).
bool is_noarch(const config::BuildConfig& config, Backend backend) {
    return config.framework.kind == config::FrameworkKind::torch_noarch ||
           config.kernels_of(backend).empty();
}

} // namespace

std::vector<Version> torch_versions(const config::Settings& settings) {
    return chosen(settings.matrix_torch, published_matrix().torch);
}

std::vector<Version> rocm_versions(const config::Settings& settings) {
    return chosen(settings.matrix_rocm, published_matrix().rocm);
}

std::vector<Candidate> candidates(const config::BuildConfig& config,
                                  const config::Settings& settings) {
    const bool torch_promised = settings.matrix_torch.has_value();
    const bool rocm_promised = settings.matrix_rocm.has_value();
    std::vector<Candidate> result;
    for (const auto backend : {Backend::cpu, Backend::rocm}) {
        if (!config.has_backend(backend))
            continue;
        if (is_noarch(config, backend)) {
            result.push_back({noarch_variant(backend)});
            continue;
        }
        for (const auto& torch : torch_versions(settings)) {
            auto variant = native_variant(config, backend, torch);
            if (backend == Backend::cpu)
                result.push_back({variant, torch_promised, false});
            else
                for (const auto& rocm : rocm_versions(settings)) {
                    variant.backend_version = rocm;
                    result.push_back({variant, torch_promised, rocm_promised});
                }
        }
    }
    std::sort(result.begin(), result.end(), [](const Candidate& a, const Candidate& b) {
        return a.variant.name() < b.variant.name();
    });
    const auto same = [](const Candidate& a, const Candidate& b) { return a.variant == b.variant; };
    result.erase(std::unique(result.begin(), result.end(), same), result.end());
    return result;
}

} // namespace kbuild::matrix
