#include "decode_older.hpp"

#include "decode_parts.hpp"

#include <algorithm>
#include <array>

namespace kbuild::config {
namespace {

using model::Backend;

/// What upstream's own tool wrote for `universal`, as its migrated examples show.
constexpr std::array kUniversalBackends = {
    Backend::cpu, Backend::cuda, Backend::metal, Backend::rocm, Backend::xpu};

bool is_true(const Value* table, std::string_view key) {
    const Value* const value = table == nullptr ? nullptr : table->get(key);
    return value != nullptr && value->kind == Value::Kind::boolean && value->boolean;
}

/// One section of edition 1, for one backend.
KernelComponent
component(const Entry& section, std::string name, Backend backend, const KernelComponent& shared) {
    KernelComponent kernel = shared;
    kernel.name = std::move(name);
    kernel.backend = backend;
    if (backend == Backend::cuda)
        kernel.cuda_capabilities = strings_of(&section.value, "cuda-capabilities");
    if (backend != Backend::rocm)
        kernel.rocm_archs.clear();
    return kernel;
}

std::vector<KernelComponent> kernels_of_1(const Value& root) {
    std::vector<KernelComponent> kernels;
    const Value* const table = root.get_table("kernel");
    if (table == nullptr)
        return kernels;
    for (const auto& section : table->entries) {
        KernelComponent shared;
        shared.depends = strings_of(&section.value, "depends");
        shared.src = strings_of(&section.value, "src");
        shared.include = strings_of(&section.value, "include");
        shared.rocm_archs = archs_of(section.value);
        shared.span = section.value.span;
        const auto language = language_of(section.value);
        const auto backend = language == "metal" ? Backend::metal : Backend::cuda;
        kernels.push_back(component(section, section.key, backend, shared));
        if (language == "cuda-hipify")
            kernels.push_back(
                component(section, hipified_name(section.key), Backend::rocm, shared));
    }
    return kernels;
}

/// Editions 1 and 2 do not list backends: they are those of the kernel sections.
std::vector<Spanned<Backend>>
implied_backends(const Value& root, int edition, const BuildConfig& config) {
    std::vector<Spanned<Backend>> backends;
    const auto span = config.general.name.span;
    if (is_universal(root, edition)) {
        for (const auto backend : kUniversalBackends)
            backends.push_back({backend, span});
        return backends;
    }
    for (const auto backend : model::kBackends)
        if (!config.kernels_of(backend).empty())
            backends.push_back({backend, span});
    return backends;
}

/// Edition 2 has what is CUDA's among the general keys.
void move_cuda_options(const Value& root, General& general) {
    const Value* const table = root.get_table("general");
    BackendOptions cuda;
    cuda.versions = {version_of(table, "cuda-minver"), version_of(table, "cuda-maxver")};
    Strings others;
    for (auto& name : general.python_depends)
        (is_cuda_dependency(name.value) ? cuda.python_depends : others).push_back(std::move(name));
    general.python_depends = std::move(others);
    if (cuda.versions.min || cuda.versions.max || !cuda.python_depends.empty())
        general.backend_options[Backend::cuda] = std::move(cuda);
}

} // namespace

bool is_universal(const Value& root, int edition) {
    return (edition == 1 && is_true(root.get_table("torch"), "universal")) ||
           (edition == 2 && is_true(root.get_table("general"), "universal"));
}

std::string_view language_of(const Value& section) {
    const Value* const language = section.get("language");
    return language == nullptr ? std::string_view("cuda") : std::string_view(language->text);
}

std::string hipified_name(std::string_view kernel) {
    return std::string(kernel) + "_rocm";
}

bool is_cuda_dependency(std::string_view name) {
    return name == "nvidia-cutlass-dsl";
}

void complete_older(const Value& root, int edition, BuildConfig& config) {
    const Value* const general = root.get_table("general");
    if (!number_of(general, "version"))
        config.general.version = 1;
    if (edition == 1)
        config.kernels = kernels_of_1(root);
    if (edition == 2)
        move_cuda_options(root, config.general);
    if (edition <= 2)
        config.general.backends = implied_backends(root, edition, config);
    const bool has_framework = root.find("torch") != nullptr || root.find("tvm-ffi") != nullptr;
    if (!has_framework || is_universal(root, edition))
        config.framework.kind = FrameworkKind::torch_noarch;
}

} // namespace kbuild::config
