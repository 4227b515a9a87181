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

/// What holds wherever a rocm kernel is compiled that is not held to torch's stable ABI.
const sources::Macros& known_macros() {
    static const sources::Macros macros = {{"USE_ROCM", true},
                                           {"__HIP_PLATFORM_AMD__", true},
                                           {"__HIPCC__", true},
                                           {"USE_CUDA", false},
                                           {"__CUDACC__", false},
                                           {"__CUDA_ARCH__", false},
                                           {"TORCH_STABLE_ONLY", false},
                                           {"TORCH_TARGET_VERSION", false}};
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
    return support::starts_with_any(name, kRocmHeaders) ||
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

/// The headers that are surely included.
std::vector<std::string> included_by(const sources::CppFile* file) {
    std::vector<std::string> names;
    if (file != nullptr)
        for (const auto& include : file->includes)
            if (is_surely_seen(*file, include.branch))
                names.push_back(include.name);
    return names;
}

/// torch's headers for HIP; what its others include of ROCm, they include through these.
bool is_torch_hip_header(const std::string& name) {
    return support::starts_with_any(name, {"ATen/hip/", "c10/hip/"});
}

/// What hipify makes of the name of one of torch's headers.
std::string converted_name(const std::string& name) {
    if (!support::starts_with_any(name, {"ATen/cuda/", "c10/cuda/"}))
        return name;
    return support::replace_all(support::replace_all(name, "cuda", "hip"), "CUDA", "HIP");
}

/// torch's headers as a ROCm variant sees them.
struct TorchHeaders {
    std::vector<sources::SourceTree> trees;

    explicit TorchHeaders(const model::TorchSdk& torch) {
        for (const auto* const folders : {&torch.rocm_include, &torch.include})
            for (const auto& folder : *folders)
                trees.emplace_back(folder);
    }

    const sources::CppFile* find(const std::string& name) {
        for (auto& tree : trees)
            if (const auto* const file = tree.file(name))
                return file;
        return nullptr;
    }
};

/// A header of ROCm that is surely included.
struct Need {
    std::string header;
    std::string source;       ///< of the project
    std::string torch_header; ///< between the two; may be empty
};

/// What `start`, a header of torch's that `source` includes, includes of ROCm.
void follow_torch(const std::string& start,
                  const std::string& source,
                  TorchHeaders& torch,
                  std::vector<Need>& needs) {
    std::vector<std::string> met{start};
    for (std::size_t i = 0; i < met.size(); ++i) {
        const auto here = met[i];
        for (const auto& name : included_by(torch.find(here))) {
            if (is_rocm_header(name))
                needs.push_back({name, source, here});
            if (is_torch_hip_header(name) && std::find(met.begin(), met.end(), name) == met.end())
                met.push_back(name);
        }
    }
}

/// What the project's rocm kernels include of ROCm with that torch, in the order of build.toml.
std::vector<Need>
needs_of(const config::BuildConfig& config, const fs::path& root, const model::TorchSdk& torch) {
    sources::SourceTree tree(root);
    TorchHeaders torch_headers(torch);
    const bool is_stable = config.framework.stable_abi.count(model::Backend::rocm) != 0;
    std::vector<Need> needs;
    for (const auto& component : components_of(config, model::Backend::rocm, root)) {
        if (component.kernel == nullptr)
            continue;
        const bool is_converted = lists_cuda_sources(component.src);
        const auto folders = include_folders(component, root);
        for (const auto& source : device_files(component, folders, tree))
            for (const auto& written : included_by(tree.file(source))) {
                if (tree.resolve(source, written, folders))
                    continue;
                const auto name = is_converted ? converted_name(written) : written;
                if (is_torch_hip_header(name) && !is_stable)
                    follow_torch(name, source, torch_headers, needs);
                else if (is_rocm_header(name) && !is_converted)
                    needs.push_back({name, source, {}});
            }
    }
    return needs;
}

std::optional<MissingHeader> first_missing(const std::vector<Need>& needs,
                                           const model::RocmSdk& rocm) {
    for (const auto& need : needs)
        if (!support::is_file(rocm.include / need.header))
            return MissingHeader{need.header,
                                 need.source,
                                 need.torch_header,
                                 toolchain::extra_library_of(need.header)};
    return std::nullopt;
}

std::string
reason_of(const MissingHeader& header, const model::RocmSdk& rocm, const model::TorchSdk& torch) {
    const auto version = rocm.short_version().dotted();
    if (header.torch_header.empty())
        return fmt::format(
            "ROCm {} has no `{}`, which `{}` includes", version, header.header, header.source);
    return fmt::format("ROCm {} has no `{}`, which torch {} needs for `{}`, which `{}` includes",
                       version,
                       header.header,
                       torch.short_version().dotted(),
                       header.torch_header,
                       header.source);
}

bool is_compiled(const matrix::Selected& selected) {
    return selected.rocm != nullptr && selected.torch != nullptr;
}

} // namespace

std::optional<MissingHeader> missing_header(const config::BuildConfig& config,
                                            const fs::path& root,
                                            const model::RocmSdk& rocm,
                                            const model::TorchSdk& torch) {
    return first_missing(needs_of(config, root, torch), rocm);
}

void rule_out_missing_headers(const config::BuildConfig& config,
                              const config::Settings& settings,
                              const fs::path& root,
                              bool require_all,
                              matrix::BuildSet& set) {
    std::map<const model::TorchSdk*, std::vector<Need>> needs;
    for (const auto& selected : set.selected)
        if (is_compiled(selected) && needs.count(selected.torch) == 0)
            needs[selected.torch] = needs_of(config, root, *selected.torch);
    std::erase_if(set.selected, [&](const matrix::Selected& selected) {
        if (!is_compiled(selected))
            return false;
        const auto missing = first_missing(needs[selected.torch], *selected.rocm);
        if (!missing)
            return false;
        const auto& header = *missing;
        const auto version = selected.rocm->short_version().dotted();
        matrix::Excluded excluded{selected.variant, matrix::Excluded::Cause::sdk};
        excluded.reason = reason_of(header, *selected.rocm, *selected.torch);
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
