#include "units.hpp"

#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <set>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using sources::SourceFacts;
using sources::SourceKind;

/// TOML keys may hold anything; CMake target names may not.
std::string target_part(const std::string& name) {
    std::string part;
    for (const char c : name) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        part += plain ? c : '_';
    }
    return part;
}

std::vector<std::string> values(const config::Strings& strings) {
    std::vector<std::string> result;
    for (const auto& entry : strings)
        result.push_back(entry.value);
    return result;
}

std::vector<std::string> folders(const config::Strings& strings, const fs::path& root) {
    std::vector<std::string> result;
    for (const auto& entry : strings)
        result.push_back((root / entry.value).lexically_normal().string());
    return result;
}

Component binding_component(const config::Framework& framework, const fs::path& root) {
    Component component;
    component.name = "binding";
    component.src = framework.src;
    if (framework.include)
        component.includes = folders(*framework.include, root);
    component.cxx_flags = values(framework.cxx_flags);
    return component;
}

Component kernel_component(const config::KernelComponent& kernel, const fs::path& root) {
    Component component;
    component.name = target_part(kernel.name);
    component.src = kernel.src;
    component.includes = folders(kernel.include, root);
    component.cxx_flags = values(kernel.cxx_flags);
    component.hip_flags = values(kernel.hip_flags);
    component.kernel = &kernel;
    return component;
}

UnitScope scope_of(SourceKind kind, const SourceFacts& facts) {
    const bool torch = facts.torch || facts.python;
    if (kind == SourceKind::device || facts.hip)
        return torch ? UnitScope::rocm_torch : UnitScope::rocm;
    return torch ? UnitScope::torch : UnitScope::backend;
}

/// The same, for a unit whose text depends on the torch as well.
UnitScope with_torch(UnitScope scope) {
    if (scope == UnitScope::rocm)
        return UnitScope::rocm_torch;
    return scope == UnitScope::backend ? UnitScope::torch : scope;
}

} // namespace

std::vector<Component>
components_of(const config::BuildConfig& config, model::Backend backend, const fs::path& root) {
    std::vector<Component> components{binding_component(config.framework, root)};
    std::set<std::string> used{"binding"};
    for (const auto* kernel : config.kernels_of(backend)) {
        auto component = kernel_component(*kernel, root);
        while (!used.insert(component.name).second)
            component.name += "_";
        components.push_back(std::move(component));
    }
    return components;
}

std::vector<std::string> include_folders(const Component& component, const fs::path& root) {
    std::vector<std::string> folders;
    for (const auto& folder : component.includes)
        if (auto name = sources::name_in_tree(root, folder))
            folders.push_back(std::move(*name));
    folders.emplace_back("csrc");
    return folders;
}

std::vector<Unit> units_of(const Component& component,
                           const fs::path& root,
                           const Conversions& conversions,
                           const model::TorchSdk* torch) {
    const auto* const conversion = find_conversion(conversions, component.name, torch);
    const bool differs = differs_between_torches(conversions, component.name);
    sources::SourceTree own_tree(root);
    sources::SourceTree converted_tree(conversion ? conversion->tree.root : root);
    const auto folders = include_folders(component, root);
    std::vector<Unit> units;
    for (const auto& entry : component.src) {
        const auto path = conversion ? conversion->place_of(root, entry.value)
                                     : (root / entry.value).lexically_normal();
        const auto kind = sources::source_kind(path.native());
        if (kind != SourceKind::device && kind != SourceKind::host)
            continue;
        const bool converted =
            conversion && sources::name_in_tree(conversion->tree.root, path).has_value();
        auto& tree = converted ? converted_tree : own_tree;
        const auto name = sources::name_in_tree(tree.root(), path);
        const auto facts = name ? sources::facts_of(tree, *name, folders) : SourceFacts();
        auto scope = scope_of(kind, facts);
        if (converted && differs)
            scope = with_torch(scope);
        auto leading =
            name ? sources::leading_headers(tree, *name, folders) : sources::LeadingHeaders();
        units.push_back({entry.value, path, kind, facts, scope, std::move(leading)});
    }
    return units;
}

Component
with_converted_headers(Component component, const fs::path& root, const Conversion& conversion) {
    std::vector<std::string> includes;
    for (const auto& folder : include_folders(component, root))
        includes.push_back((conversion.tree.root / folder).lexically_normal().string());
    component.includes.insert(component.includes.begin(), includes.begin(), includes.end());
    return component;
}

} // namespace kbuild::build
