#include "kbuild/toolchain/add.hpp"

#include "add_sdk_kinds.hpp"
#include "archive.hpp"
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

tl::unexpected<support::Error> unknown_version(const SdkRequest& request,
                                               const model::SdkSources& sources) {
    std::vector<std::string> known;
    for (const auto& name : known_sdks(sources))
        if (name.substr(0, name.find('@')) == request.name().substr(0, request.name().find('@')))
            known.push_back(name);
    return support::fail(ErrorKind::usage,
                         fmt::format("no provider knows `{}`", request.name()),
                         fmt::format("known are {}", support::join(known, ", ")));
}

fs::path downloads_of(const SdkRequest& request) {
    return support::cache_home() / "downloads" / archive_name(request);
}

/// A full disk is none of the network's faults, whatever ran into it.
bool is_full_disk(const support::Error& error) {
    // tar tells a file that found room in part by its size alone.
    return support::contains(error.message, "No space left on device") ||
           support::contains(error.message, "Wrote only ");
}

/// An error of the network says what to do and what was kept; after success nothing is kept.
Result<void> finish_downloads(Result<void> result, const Store& store, const SdkRequest& request) {
    const auto downloads = downloads_of(request);
    if (result)
        return support::remove_tree(downloads);
    auto error = std::move(result.error());
    if (is_full_disk(error))
        error.hint = fmt::format("the disk is full: make room in `{}` and `{}` and run it again",
                                 store.root().string(),
                                 downloads.string());
    else if (error.kind == ErrorKind::network && error.hint.empty())
        error.hint = fmt::format(
            "check the network and run it again; what is already fetched is kept in `{}`",
            downloads.string());
    return tl::unexpected(std::move(error));
}

/// Makes the SDK in `places.staging`; of a ROCm's archive with another version than was asked for
/// nothing is made.
Result<Prepared> prepare(const Store& store,
                         const Catalog& catalog,
                         const SdkRequest& request,
                         const Places& places,
                         const OnProgress& on_progress,
                         const AddOptions& options) {
    if (options.offline && !options.from)
        return support::fail(
            ErrorKind::network,
            fmt::format("`{}` is not there, and `--offline` forbids fetching it", request.name()),
            fmt::format("kbuild toolchain add {}", request.name()));
    auto made =
        request.kind == SdkRequest::Kind::rocm
            ? prepare_rocm(*find_recipe(catalog.rocm, request.version),
                           {catalog.rocm_packages, catalog.amd_packages},
                           places,
                           on_progress,
                           options)
            : prepare_torch(
                  *find_recipe(catalog.torch, request.version), places, on_progress, options);
    KB_TRY(finish_downloads(made.map([](const Prepared&) {}), store, request));
    return made;
}

/// What the SDK is to be made with: the wanted extra libraries and those that it has already.
std::vector<std::string> all_extra(std::vector<std::string> wanted, const fs::path& place) {
    const auto there = extra_libraries(place);
    wanted.insert(wanted.end(), there.begin(), there.end());
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    return wanted;
}

/// Saves the files of an SDK that is there already: the same ones that it was made from.
Result<void> save_again(const Store& store,
                        const Catalog& catalog,
                        const SdkRequest& request,
                        const OnProgress& on_progress,
                        AddOptions options) {
    if (open_archive(*options.save / archive_name(request), request.name()))
        return {};
    if (options.offline)
        return support::fail(
            ErrorKind::network,
            fmt::format("the files of `{}` are not kept, and `--offline` forbids fetching them",
                        request.name()));
    options.wanted = content_of(sdk_folder(store, request)).files;
    return hold_slot(store, request, on_progress, [&] {
        auto result = request.kind == SdkRequest::Kind::rocm
                          ? save_rocm(*find_recipe(catalog.rocm, request.version),
                                      {catalog.rocm_packages, catalog.amd_packages},
                                      downloads_of(request),
                                      on_progress,
                                      options)
                          : save_torch(*find_recipe(catalog.torch, request.version),
                                       downloads_of(request),
                                       on_progress,
                                       options);
        return finish_downloads(std::move(result), store, request);
    });
}

bool is_known(const Catalog& catalog, const SdkRequest& request) {
    return request.kind == SdkRequest::Kind::rocm
               ? find_recipe(catalog.rocm, request.version) != nullptr
               : find_recipe(catalog.torch, request.version) != nullptr;
}

/// The suites of the nearest older HIP, which may have rolled on to this one; none if it is further
/// away than they can have got.
const RocmRecipe* rolled_from(const Catalog& catalog, const model::Version& version) {
    const RocmRecipe* nearest = nullptr;
    for (const auto& recipe : catalog.rocm)
        if (recipe.version < version && version.major() <= recipe.version.major() + 1)
            nearest = &recipe;
    return nearest;
}

/// The catalogue with a ROCm of that version in it, made of what the recipe's suites carry.
Catalog with_rolled(Catalog catalog, RocmRecipe recipe, const model::Version& version) {
    recipe.version = version;
    catalog.rocm.push_back(std::move(recipe));
    return catalog;
}

/// An SDK that is in the store, or was to be put there and `instead` is what the archive carries.
struct Filled {
    std::optional<AddResult> result;
    model::Version instead = {};
};

Result<Filled> fill(const Store& store,
                    const Catalog& catalog,
                    const SdkRequest& request,
                    const OnProgress& on_progress,
                    const AddOptions& asked) {
    const auto place = sdk_folder(store, request);
    AddOptions options = asked;
    options.extra = all_extra(asked.extra, place);
    if (request.kind == SdkRequest::Kind::torch)
        options.extra.clear();
    const auto is_enough = [&] {
        return is_complete(place, request.kind) &&
               extra_libraries(place).size() == options.extra.size() &&
               check_wanted(request, options, content_of(place).files).has_value();
    };
    if (options.offline && !options.from && is_complete(place, request.kind))
        KB_TRY(check_wanted(request, options, content_of(place).files));
    if (is_enough()) {
        if (options.save)
            KB_TRY(save_again(store, catalog, request, on_progress, options));
        return Filled{AddResult{request.name(), place, true, read_summary(place)}};
    }
    Prepared made{request.version, std::nullopt};
    const auto make = [&](const fs::path& staging, const fs::path& final_place) -> Result<void> {
        const Places places{downloads_of(request), staging, final_place};
        KB_TRY_ASSIGN(prepared, prepare(store, catalog, request, places, on_progress, options));
        made = prepared;
        return {};
    };
    KB_TRY(fill_slot(store, request.name(), on_progress, is_enough, make));
    if (made.version != request.version)
        return Filled{std::nullopt, made.version};
    return Filled{AddResult{request.name(), place, false, read_summary(place), made.fetching}};
}

/// As fill(); where the suites have rolled on to another HIP, that one is made, under its own name.
Result<AddResult> fill_or_follow(const Store& store,
                                 const Catalog& catalog,
                                 const SdkRequest& request,
                                 const OnProgress& on_progress,
                                 const AddOptions& options) {
    KB_TRY_ASSIGN(filled, fill(store, catalog, request, on_progress, options));
    if (filled.result)
        return std::move(*filled.result);
    const auto& recipe = *find_recipe(catalog.rocm, request.version);
    const SdkRequest other{SdkRequest::Kind::rocm, filled.instead};
    on_progress(fmt::format("{} now carries HIP {}, not {}: {} is added instead",
                            recipe.label,
                            other.version.dotted(),
                            request.version.dotted(),
                            other.name()));
    KB_TRY_ASSIGN(
        followed,
        fill(store, with_rolled(catalog, recipe, other.version), other, on_progress, options));
    if (followed.result)
        return std::move(*followed.result);
    return support::fail(ErrorKind::toolchain,
                         fmt::format("{} carries HIP {}, {} and {} within one run",
                                     recipe.label,
                                     request.version.dotted(),
                                     other.version.dotted(),
                                     followed.instead.dotted()),
                         "run it again");
}

/// A ROCm that no source names is looked for where its predecessor comes from.
Result<AddResult> add_unknown(const Store& store,
                              const Catalog& catalog,
                              const SdkRequest& request,
                              const OnProgress& on_progress,
                              const AddOptions& options) {
    const auto* const recipe =
        request.kind == SdkRequest::Kind::rocm ? rolled_from(catalog, request.version) : nullptr;
    const bool out_of_reach =
        options.offline && !options.from && !is_complete(sdk_folder(store, request), request.kind);
    if (recipe == nullptr || out_of_reach)
        return unknown_version(request, options.sources);
    KB_TRY_ASSIGN(
        filled,
        fill(store, with_rolled(catalog, *recipe, request.version), request, on_progress, options));
    if (filled.result)
        return std::move(*filled.result);
    on_progress(fmt::format("{} carries HIP {}", recipe->label, filled.instead.dotted()));
    return unknown_version(request, options.sources);
}

} // namespace

Result<std::vector<ExtraLibrary>> extra_of(const std::vector<std::string>& names) {
    std::vector<ExtraLibrary> found;
    if (names.empty())
        return found;
    KB_TRY_ASSIGN(catalog, load_catalog());
    for (const auto& name : names) {
        const auto entry = std::find_if(catalog.extra.begin(),
                                        catalog.extra.end(),
                                        [&](const auto& other) { return other.name == name; });
        if (entry == catalog.extra.end()) {
            std::vector<std::string> known;
            for (const auto& library : catalog.extra)
                known.push_back(library.name);
            return support::fail(ErrorKind::usage,
                                 fmt::format("`{}` is no extra library of ROCm", name),
                                 fmt::format("known are {}", support::join(known, ", ")));
        }
        found.push_back(*entry);
    }
    return found;
}

std::string extra_library_of(std::string_view header) {
    static const auto catalog = load_catalog(); // asked for each include of a project
    if (!catalog)
        return {};
    for (const auto& library : catalog->extra)
        for (const auto& prefix : library.headers)
            if (header.starts_with(prefix))
                return library.name;
    return {};
}

std::string archive_name(const SdkRequest& request) {
    return support::replace_all(request.name(), "@", "-");
}

Result<void> check_wanted(const SdkRequest& request,
                          const AddOptions& options,
                          const std::vector<FetchedFile>& there) {
    if (options.wanted.empty())
        return {};
    const auto lines = differences(options.wanted, there);
    if (lines.empty())
        return {};
    return support::fail(
        ErrorKind::toolchain,
        fmt::format("{} cannot be had as it was locked:\n  {}",
                    request.name(),
                    support::join(lines, "\n  ")),
        options.from ? "use the files that were saved with this lock"
                     : "use saved files (`kbuild toolchain add --from DIR`), or lock what there is "
                       "now (`kbuild toolchain lock`)");
}

Result<AddResult> add_sdk(const Store& store,
                          const SdkRequest& request,
                          const OnProgress& on_progress,
                          const AddOptions& options) {
    KB_TRY_ASSIGN(catalog, load_catalog(options.sources));
    KB_TRY(extra_of(options.extra));
    auto added = is_known(catalog, request)
                     ? fill_or_follow(store, catalog, request, on_progress, options)
                     : add_unknown(store, catalog, request, on_progress, options);
    if (!added && added.error().kind != ErrorKind::usage)
        return support::pass_on(std::move(added), fmt::format("adding {}", request.name()));
    return added;
}

std::vector<std::string> differences(const std::vector<FetchedFile>& wanted,
                                     const std::vector<FetchedFile>& there) {
    std::vector<std::string> lines;
    for (const auto& file : wanted) {
        const auto found = std::find_if(
            there.begin(), there.end(), [&](const auto& other) { return other.name == file.name; });
        if (found == there.end())
            lines.push_back(fmt::format("`{}` {} is not there any more", file.name, file.version));
        else if (found->sha256 == file.sha256)
            continue; // the same bytes, however their version is written
        else if (found->version != file.version)
            lines.push_back(fmt::format(
                "`{}` is {} now, {} is wanted", file.name, found->version, file.version));
        else
            lines.push_back(fmt::format("`{}` {} has other bytes: SHA-256 {}, {} is wanted",
                                        file.name,
                                        file.version,
                                        found->sha256,
                                        file.sha256));
    }
    for (const auto& file : there)
        if (std::none_of(wanted.begin(), wanted.end(), [&](const auto& other) {
                return other.name == file.name;
            }))
            lines.push_back(fmt::format("`{}` {} is new", file.name, file.version));
    return lines;
}

Result<void> remove_sdk(const Store& store, const SdkRequest& request) {
    const auto place = sdk_folder(store, request);
    if (!support::path_exists(place))
        return support::fail(
            ErrorKind::usage,
            fmt::format("`{}` is not in `{}`", request.name(), store.root().string()),
            "see `kbuild toolchain list`");
    return empty_slot(store, request.name());
}

std::vector<std::string> known_sdks(const model::SdkSources& sources) {
    const auto catalog = load_catalog(sources);
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
