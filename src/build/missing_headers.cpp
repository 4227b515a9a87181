#include "kbuild/build/missing_headers.hpp"

#include "units.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/add.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using sources::SourceKind;

constexpr std::array kRocmHeaders = {"hip/",
                                     "hipblas/",
                                     "hipblaslt/",
                                     "hipcub/",
                                     "hipsolver/",
                                     "hipsparse/",
                                     "hsa/",
                                     "rocprim/",
                                     "thrust/"};

/// What holds wherever a rocm kernel is compiled.
const sources::Macros& known_macros() {
    static const sources::Macros macros = {{"USE_ROCM", true},
                                           {"__HIP_PLATFORM_AMD__", true},
                                           {"__HIPCC__", true},
                                           {"USE_CUDA", false},
                                           {"__CUDACC__", false},
                                           {"__CUDA_ARCH__", false}};
    return macros;
}

/// `!defined(KERNEL_H_)`: the guard around a whole header.
bool is_guard(const sources::Branch& branch) {
    auto text = support::to_lower(branch.expression);
    if (!text.starts_with("!defined(") || !text.ends_with(")") || !branch.earlier.empty())
        return false;
    text.pop_back();
    text.erase(text.find_last_not_of('_') + 1);
    return text.ends_with("_h") || text.ends_with("_hpp") || text.ends_with("_hh");
}

/// Whether the compiler surely sees what stands in the branch.
bool is_surely_seen(const sources::CppFile& file, int branch) {
    while (branch >= 0) {
        const auto& here = file.branches[static_cast<std::size_t>(branch)];
        if (!is_guard(here))
            return sources::is_seen(file.branches, branch, known_macros()).value_or(false);
        branch = here.parent;
    }
    return true;
}

bool is_rocm_header(const std::string& name) {
    return std::any_of(kRocmHeaders.begin(),
                       kRocmHeaders.end(),
                       [&](const char* prefix) { return name.starts_with(prefix); }) ||
           !toolchain::extra_library_of(name).empty();
}

/// The sources that are compiled as HIP and what they include of the project, each once.
std::vector<std::string> device_files(const Component& component,
                                      const std::vector<std::string>& folders,
                                      sources::SourceTree& tree) {
    std::vector<std::string> sources;
    for (const auto& entry : component.src)
        if (auto name = sources::name_in_tree(tree.root(), tree.root() / entry.value))
            if (sources::source_kind(*name) == SourceKind::device)
                sources.push_back(std::move(*name));
    return tree.reachable(sources, folders);
}

} // namespace

std::optional<MissingHeader> missing_header(const config::BuildConfig& config,
                                            const fs::path& root,
                                            const model::RocmSdk& rocm) {
    sources::SourceTree tree(root);
    for (const auto& component : components_of(config, model::Backend::rocm, root)) {
        // CUDA sources are converted first; what they include is not what is compiled.
        if (component.kernel == nullptr || lists_cuda_sources(component.src))
            continue;
        const auto folders = include_folders(component, root);
        for (const auto& name : device_files(component, folders, tree)) {
            const auto* const file = tree.file(name);
            for (const auto& include : file ? file->includes : std::vector<sources::Include>())
                if (is_rocm_header(include.name) && is_surely_seen(*file, include.branch) &&
                    !tree.resolve(name, include.name, folders) &&
                    !support::is_file(rocm.include / include.name))
                    return MissingHeader{
                        include.name, name, toolchain::extra_library_of(include.name)};
        }
    }
    return std::nullopt;
}

void rule_out_missing_headers(const config::BuildConfig& config,
                              const config::Settings& settings,
                              const fs::path& root,
                              bool require_all,
                              matrix::BuildSet& set) {
    std::map<const model::RocmSdk*, std::optional<MissingHeader>> missing;
    for (const auto& selected : set.selected)
        if (selected.rocm != nullptr && missing.count(selected.rocm) == 0)
            missing[selected.rocm] = missing_header(config, root, *selected.rocm);
    std::erase_if(set.selected, [&](const matrix::Selected& selected) {
        const auto found = missing.find(selected.rocm);
        if (found == missing.end() || !found->second)
            return false;
        const auto& header = *found->second;
        const auto version = selected.rocm->short_version().dotted();
        matrix::Excluded excluded{selected.variant, matrix::Excluded::Cause::sdk};
        excluded.reason = fmt::format(
            "ROCm {} has no `{}`, which `{}` includes", version, header.header, header.source);
        if (!header.library.empty() && selected.rocm->provider == "apt")
            excluded.fix =
                fmt::format("kbuild toolchain add rocm@{} --extra {}", version, header.library);
        excluded.promised = require_all || settings.has_matrix();
        set.excluded.push_back(std::move(excluded));
        set.published_selected -= selected.published ? 1U : 0U;
        return true;
    });
    std::sort(set.excluded.begin(), set.excluded.end(), [](const auto& a, const auto& b) {
        return a.variant.name() < b.variant.name();
    });
}

} // namespace kbuild::build
