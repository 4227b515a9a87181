#include "budgets.hpp"
#include "decode.hpp"
#include "decode_parts.hpp"
#include "decode_sources.hpp"

namespace kbuild::config {
namespace {

Driver driver_of(const std::string& name) {
    if (name == "hipcc")
        return Driver::hipcc;
    if (name == "amdclang++")
        return Driver::amdclang;
    if (name == "clang++")
        return Driver::clang;
    return Driver::automatic;
}

std::vector<Allowance> allowances_of(const Value* check) {
    std::vector<Allowance> result;
    const Value* const list = check == nullptr ? nullptr : check->get("allow");
    if (list == nullptr)
        return result;
    for (const auto& item : list->items)
        result.push_back({text_of(&item, "code").value_or(""),
                          text_of(&item, "path").value_or(""),
                          text_of(&item, "reason").value_or(""),
                          item.span});
    return result;
}

} // namespace

Settings decode_settings(const Value& root) {
    Settings settings;
    const Value* const matrix = root.get_table("matrix");
    settings.matrix_torch = versions_of(matrix, "torch");
    settings.matrix_rocm = versions_of(matrix, "rocm");
    const Value* const toolchain = root.get_table("toolchain");
    if (const Value* const fetch = toolchain == nullptr ? nullptr : toolchain->get("fetch"))
        settings.fetch = fetch->boolean;
    settings.sources = sources_of(toolchain);
    for (const auto& library : strings_of(toolchain, "extra"))
        settings.extra_libraries.push_back(library.value);
    for (const auto& pattern : strings_of(root.get_table("hipify"), "keep"))
        settings.hipify_keep.push_back(pattern.value);
    const Value* const build = root.get_table("build");
    settings.driver = driver_of(text_of(build, "driver").value_or("auto"));
    settings.host_cxx = text_of(build, "host-cxx").value_or("");
    settings.policy = text_of(build, "policy").value_or(settings.policy);
    const Value* const cache = root.get_table("cache");
    settings.launcher = text_of(cache, "launcher").value_or(settings.launcher);
    settings.cache_remote = text_of(cache, "remote").value_or("");
    settings.allow = allowances_of(root.get_table("check"));
    settings.budgets = budgets_of(root.get_table("budget"));
    settings.emulated_tests = strings_of(root.get_table("test"), "emulate");
    settings.test_programs = strings_of(root.get_table("test"), "programs");
    return settings;
}

} // namespace kbuild::config
