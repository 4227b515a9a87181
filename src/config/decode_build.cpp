#include "decode.hpp"
#include "decode_older.hpp"
#include "decode_parts.hpp"
#include "schema.hpp"

#include <algorithm>
#include <array>

namespace kbuild::config {
namespace {

using model::Backend;

std::vector<KernelDependency> kernel_dependencies(const Value* table) {
    std::vector<KernelDependency> result;
    const Value* const list = table == nullptr ? nullptr : table->get("kernel-depends");
    if (list == nullptr)
        return result;
    for (const auto& item : list->items)
        result.push_back({text_of(&item, "repo-id").value_or(""),
                          number_of(&item, "version"),
                          text_of(&item, "revision"),
                          item.span});
    return result;
}

std::vector<Spanned<Backend>> backends_of(const Value* general) {
    std::vector<Spanned<Backend>> result;
    for (const auto& name : strings_of(general, "backends")) {
        const auto backend = model::parse_backend(name.value);
        const bool again = std::any_of(result.begin(), result.end(), [&](const auto& other) {
            return other.value == backend;
        });
        if (backend && !again)
            result.push_back({*backend, name.span});
    }
    return result;
}

std::map<Backend, BackendOptions> backend_options(const Value* general) {
    std::map<Backend, BackendOptions> result;
    for (const auto backend : {Backend::cuda, Backend::neuron, Backend::tpu, Backend::xpu}) {
        const Value* const table =
            general == nullptr ? nullptr : general->get_table(to_string(backend));
        if (table != nullptr)
            result[backend] = {kernel_dependencies(table),
                               strings_of(table, "python-depends"),
                               range_of(table),
                               table->span};
    }
    return result;
}

General decode_general(const Value* table) {
    General general;
    if (const auto name = text_of(table, "name")) {
        general.written_name = {*name, table->get("name")->span};
        if (const auto parsed = model::KernelName::parse(*name))
            general.name = {*parsed, table->get("name")->span};
    }
    general.version = number_of(table, "version").value_or(0);
    general.license = text_of(table, "license").value_or("");
    general.backends = backends_of(table);
    general.upstream = text_of(table, "upstream");
    general.source = text_of(table, "source");
    const Value* const hub = table == nullptr ? nullptr : table->get_table("hub");
    general.hub = {text_of(hub, "repo-id"), text_of(hub, "branch")};
    general.backend_options = backend_options(table);
    general.kernel_depends = kernel_dependencies(table);
    general.python_depends = strings_of(table, "python-depends");
    return general;
}

std::map<Backend, model::Version> stable_abi(const Value& torch) {
    std::map<Backend, model::Version> result;
    if (const auto version = version_of(&torch, "stable-abi"))
        for (const auto backend : model::kBackends)
            result[backend] = *version;
    if (const Value* const table = torch.get_table("stable-abi"))
        for (const auto& entry : table->entries) {
            const auto backend = model::parse_backend(entry.key);
            const auto version = version_of(table, entry.key);
            if (backend && version)
                result[*backend] = *version;
        }
    return result;
}

Framework decode_framework(const Value& root) {
    constexpr std::array kTables = {std::pair{"torch", FrameworkKind::torch},
                                    std::pair{"torch-noarch", FrameworkKind::torch_noarch},
                                    std::pair{"tvm-ffi", FrameworkKind::tvm_ffi}};
    Framework framework;
    for (const auto& [name, kind] : kTables) {
        const Value* const table = root.get_table(name);
        if (table == nullptr)
            continue;
        framework.kind = kind;
        framework.src = strings_of(table, "src");
        framework.include = optional_strings(table, "include");
        framework.versions = range_of(table);
        framework.pyext = optional_strings(table, "pyext");
        framework.stable_abi = stable_abi(*table);
        framework.cxx_flags = strings_of(table, "cxx-flags");
        framework.cuda_capabilities = strings_of(table, "cuda_capabilities");
        framework.rocm_archs = strings_of(table, "rocm_archs");
        framework.span = table->span;
        return framework;
    }
    return framework;
}

std::optional<KernelComponent> decode_kernel(const Entry& entry) {
    const Value& table = entry.value;
    const auto name = text_of(&table, "backend").value_or("");
    const auto allowed = allowed_values(Type::kernel_backend);
    const auto backend = model::parse_backend(name);
    if (!backend || std::find(allowed.begin(), allowed.end(), name) == allowed.end())
        return std::nullopt;
    KernelComponent kernel;
    kernel.name = entry.key;
    kernel.backend = *backend;
    kernel.depends = strings_of(&table, "depends");
    kernel.src = strings_of(&table, "src");
    kernel.include = strings_of(&table, "include");
    kernel.cxx_flags = strings_of(&table, "cxx-flags");
    kernel.cuda_capabilities = strings_of(&table, "cuda-capabilities");
    kernel.cuda_flags = strings_of(&table, "cuda-flags");
    kernel.cuda_minver = version_of(&table, "cuda-minver");
    kernel.rocm_archs = archs_of(table);
    kernel.hip_flags = strings_of(&table, "hip-flags");
    kernel.sycl_flags = strings_of(&table, "sycl-flags");
    kernel.span = table.span;
    return kernel;
}

} // namespace

BuildConfig decode_build(const Value& root, int edition) {
    BuildConfig config;
    config.edition = edition;
    config.file = root.span.file;
    config.general = decode_general(root.get_table("general"));
    config.framework = decode_framework(root);
    if (const Value* const kernels = root.get_table("kernel"))
        for (const auto& entry : kernels->entries)
            if (auto kernel = decode_kernel(entry))
                config.kernels.push_back(std::move(*kernel));
    if (edition <= 3)
        complete_older(root, edition, config);
    return config;
}

} // namespace kbuild::config
