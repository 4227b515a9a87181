#include "catalog.hpp"

#include "kbuild/support/embedded.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kbuild::toolchain {
namespace {

using nlohmann::json;

model::Version version_of(const json& entry) {
    return model::Version::parse(entry.at("version").get<std::string>()).value();
}

RocmRecipe to_rocm(const json& entry) {
    RocmRecipe recipe;
    recipe.version = version_of(entry);
    recipe.distribution = entry.at("distribution").get<std::string>();
    recipe.label = entry.at("label").get<std::string>();
    recipe.suites = entry.at("suites").get<std::vector<std::string>>();
    recipe.components = {"main"};
    for (const auto& preference : entry.at("preferences"))
        recipe.preferences.push_back({preference.at("packages").get<std::string>(),
                                      preference.at("pin").get<std::string>(),
                                      preference.at("priority").get<int>()});
    return recipe;
}

RocmPackages to_packages(const json& entry) {
    const auto list = [&](const char* name) {
        return entry.at(name).get<std::vector<std::string>>();
    };
    RocmPackages packages;
    packages.roots = list("roots");
    packages.compiler = list("compiler");
    packages.follow = list("follow");
    packages.leave = list("leave");
    packages.link_only = list("link_only");
    packages.headers = list("headers");
    packages.programs = list("programs");
    packages.leave_programs = list("leave_programs");
    packages.runtimes = list("runtimes");
    return packages;
}

support::Result<RocmRecipe> recipe_of(const model::RocmSource& source) {
    RocmRecipe recipe;
    recipe.version = source.version;
    recipe.layout = source.layout == "amd" ? PackageLayout::amd : PackageLayout::debian;
    recipe.repository = source.repository;
    recipe.keyring = source.keyring;
    if (source.repository.empty()) {
        if (recipe.layout == PackageLayout::amd)
            return support::fail(
                support::ErrorKind::config,
                fmt::format("the source of rocm@{} names no `repository`", source.version.dotted()),
                "with `layout = \"amd\"` the address of AMD's repository, or of a mirror of it, is "
                "needed");
        recipe.distribution = "Debian";
    }
    recipe.suites = source.suites;
    recipe.components =
        source.components.empty() ? std::vector<std::string>{"main"} : source.components;
    recipe.preferences = source.pins;
    const auto suites = support::join(source.suites, ", ");
    recipe.label = !source.label.empty()       ? source.label
                   : source.repository.empty() ? "Debian " + suites
                                               : "an apt repository, " + suites;
    return recipe;
}

/// Puts a recipe where its version belongs, in the place of another one of that version.
template <typename Recipe> void put(std::vector<Recipe>& recipes, Recipe recipe) {
    const auto at = std::find_if(recipes.begin(), recipes.end(), [&](const Recipe& other) {
        return !(other.version < recipe.version);
    });
    if (at != recipes.end() && at->version == recipe.version)
        *at = std::move(recipe);
    else
        recipes.insert(at, std::move(recipe));
}

} // namespace

support::Result<Catalog> load_catalog(const model::SdkSources& sources) {
    KB_TRY_ASSIGN(catalog, load_catalog());
    for (auto& recipe : catalog.torch)
        recipe.index_url = sources.index_url;
    for (const auto& source : sources.rocm) {
        KB_TRY_ASSIGN(recipe, recipe_of(source));
        put(catalog.rocm, std::move(recipe));
    }
    for (const auto& source : sources.torch)
        put(catalog.torch,
            TorchRecipe{source.version,
                        source.index_url.empty() ? sources.index_url : source.index_url});
    return catalog;
}

support::Result<Catalog> load_catalog() {
    const auto text = support::embedded::find(support::embedded::data(), "toolchains.json");
    try {
        const auto document = json::parse(text);
        Catalog catalog;
        for (const auto& entry : document.at("rocm"))
            catalog.rocm.push_back(to_rocm(entry));
        catalog.rocm_packages = to_packages(document.at("rocm_packages"));
        for (const auto& [list, key] : {std::pair(&catalog.amd_packages.roots, "roots"),
                                        std::pair(&catalog.amd_packages.headers, "headers")})
            *list = document.at("amd_packages").at(key).get<std::vector<std::string>>();
        for (const auto& [name, entry] : document.at("extra").items())
            catalog.extra.push_back({name,
                                     entry.at("packages").get<std::vector<std::string>>(),
                                     entry.at("headers").get<std::vector<std::string>>()});
        for (const auto& entry : document.at("torch"))
            catalog.torch.push_back({version_of(entry), {}});
        return catalog;
    } catch (const std::exception& error) {
        return support::fail(
            support::ErrorKind::internal,
            fmt::format("the embedded toolchain data is damaged: {}", error.what()));
    }
}

bool matches_any(const std::vector<std::string>& patterns, const std::string& name) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return support::matches_glob(pattern, name);
    });
}

} // namespace kbuild::toolchain
