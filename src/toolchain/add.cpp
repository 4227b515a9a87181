#include "kbuild/toolchain/add.hpp"

#include "add_sdk_kinds.hpp"
#include "catalog.hpp"
#include "manifest.hpp"
#include "store_slot.hpp"

#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

template <typename Recipe>
const Recipe* find_recipe(const std::vector<Recipe>& recipes, const model::Version& version) {
    const auto found = std::find_if(recipes.begin(), recipes.end(), [&](const Recipe& recipe) {
        return recipe.version == version;
    });
    return found != recipes.end() ? &*found : nullptr;
}

tl::unexpected<support::Error> unknown_version(const SdkRequest& request) {
    std::vector<std::string> known;
    for (const auto& name : known_sdks())
        if (name.substr(0, name.find('@')) == request.name().substr(0, request.name().find('@')))
            known.push_back(name);
    return support::fail(ErrorKind::usage,
                         fmt::format("no provider knows `{}`", request.name()),
                         fmt::format("known are {}", support::join(known, ", ")));
}

Result<void> prepare(const Catalog& catalog,
                     const SdkRequest& request,
                     const fs::path& staging,
                     const fs::path& final_place,
                     const OnProgress& on_progress) {
    const auto downloads =
        support::cache_home() / "downloads" / support::replace_all(request.name(), "@", "-");
    const auto result = [&]() -> Result<void> {
        if (request.kind == SdkRequest::Kind::rocm)
            return prepare_rocm(*find_recipe(catalog.rocm, request.version),
                                catalog.rocm_packages,
                                downloads,
                                staging,
                                final_place,
                                on_progress);
        return prepare_torch(*find_recipe(catalog.torch, request.version),
                             downloads,
                             staging,
                             final_place,
                             on_progress);
    }();
    if (result)
        return support::remove_tree(downloads);
    auto error = result.error();
    if (error.kind == ErrorKind::network && error.hint.empty())
        error.hint = fmt::format(
            "check the network and run it again; what is already fetched is kept in `{}`",
            downloads.string());
    return tl::unexpected(std::move(error));
}

bool is_known(const Catalog& catalog, const SdkRequest& request) {
    return request.kind == SdkRequest::Kind::rocm
               ? find_recipe(catalog.rocm, request.version) != nullptr
               : find_recipe(catalog.torch, request.version) != nullptr;
}

} // namespace

Result<AddResult>
add_sdk(const Store& store, const SdkRequest& request, const OnProgress& on_progress) {
    KB_TRY_ASSIGN(catalog, load_catalog());
    if (!is_known(catalog, request))
        return unknown_version(request);
    if (auto there = find_added(store, request))
        return there;
    auto filled = fill_slot(
        store, request, on_progress, [&](const fs::path& staging, const fs::path& final_place) {
            return prepare(catalog, request, staging, final_place, on_progress);
        });
    if (!filled)
        return support::pass_on(std::move(filled), fmt::format("adding {}", request.name()));
    const auto place = sdk_folder(store, request);
    return AddResult{request.name(), place, false, read_summary(place)};
}

Result<AddResult> find_added(const Store& store, const SdkRequest& request) {
    const auto place = sdk_folder(store, request);
    if (is_complete(place, request.kind))
        return AddResult{request.name(), place, true, read_summary(place)};
    return support::fail(
        ErrorKind::network,
        fmt::format("`{}` is not there, and `--offline` forbids fetching it", request.name()),
        fmt::format("kbuild toolchain add {}", request.name()));
}

Result<void> remove_sdk(const Store& store, const SdkRequest& request) {
    const auto place = sdk_folder(store, request);
    if (!support::path_exists(place))
        return support::fail(
            ErrorKind::usage,
            fmt::format("`{}` is not in `{}`", request.name(), store.root().string()),
            "see `kbuild toolchain list`");
    return empty_slot(store, request);
}

std::vector<std::string> known_sdks() {
    const auto catalog = load_catalog();
    std::vector<std::string> names;
    if (!catalog)
        return names;
    for (const auto& recipe : catalog->rocm)
        names.push_back(SdkRequest{SdkRequest::Kind::rocm, recipe.version}.name());
    for (const auto& recipe : catalog->torch)
        names.push_back(SdkRequest{SdkRequest::Kind::torch, recipe.version}.name());
    return names;
}

} // namespace kbuild::toolchain
