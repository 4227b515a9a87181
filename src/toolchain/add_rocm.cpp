#include "add_sdk_kinds.hpp"
#include "apt_repository.hpp"
#include "archive.hpp"
#include "deb_unpack.hpp"
#include "manifest.hpp"
#include "package_selection.hpp"
#include "probe_rocm.hpp"
#include "rocm_prefix.hpp"

#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/toolchain/stub_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

/// Everything that the recipe runs is looked for before anything is fetched.
Result<void> need_tools(const RocmRecipe& recipe) {
    for (const auto* program : {"apt-get", "apt-cache", "dpkg-deb"})
        if (!support::find_program(program))
            return support::fail(
                ErrorKind::toolchain,
                fmt::format("`{}` is not on PATH: ROCm can only be fetched where apt is", program),
                "install AMD's ROCm and set `ROCM_PATH` or give `--rocm PATH`");
    if (recipe.layout == PackageLayout::amd)
        return {}; // runs where it is unpacked
    if (!support::find_program("patchelf"))
        return support::fail(
            ErrorKind::toolchain, "`patchelf` is not on PATH", "apt-get install patchelf");
    KB_TRY(host_c_compiler());
    return {};
}

std::uintmax_t total_size(const std::vector<Package>& packages) {
    return std::accumulate(
        packages.begin(),
        packages.end(),
        std::uintmax_t{0},
        [](std::uintmax_t sum, const Package& package) { return sum + package.size; });
}

struct FetchedPackages {
    PackageSelection selection;
    std::vector<fs::path> debs; ///< in the order of selection.all()
    /// The source's HIP, if it is another than the recipe's: nothing is fetched then.
    std::optional<model::Version> other_hip = {};
};

SdkRequest request_of(const RocmRecipe& recipe) {
    return {SdkRequest::Kind::rocm, recipe.version};
}

std::vector<FetchedFile> files_of(const PackageSelection& selection) {
    std::vector<FetchedFile> files;
    for (const auto& package : selection.all())
        files.push_back({package.name, package.version, package.sha256});
    return files;
}

/// The lists of a selection by the names that an archive knows them by.
template <typename Selection> auto roles_of(Selection& selection) {
    return std::array{std::pair{"compiler", &selection.compiler},
                      std::pair{"parts", &selection.parts},
                      std::pair{"link_only", &selection.link_only}};
}

/// What an earlier `save` kept.
Result<FetchedPackages> saved_packages(const RocmRecipe& recipe, const fs::path& from) {
    const auto folder = from / archive_name(request_of(recipe));
    KB_TRY_ASSIGN(archive, open_archive(folder, request_of(recipe).name()));
    FetchedPackages saved;
    saved.selection.compiler_major = archive.compiler_major;
    std::map<std::string, fs::path> places;
    for (const auto& file : archive.files) {
        Package package;
        package.name = file.name;
        package.version = file.version;
        package.sha256 = file.sha256;
        for (auto& [role, list] : roles_of(saved.selection))
            if (file.role == role)
                list->push_back(package);
        places[file.name] = folder / file.file;
    }
    for (const auto& package : saved.selection.all())
        saved.debs.push_back(places[package.name]);
    return saved;
}

Result<void>
save_packages(const RocmRecipe& recipe, const FetchedPackages& fetched, const fs::path& save) {
    SdkArchive archive{
        request_of(recipe).name(), recipe.label, fetched.selection.compiler_major, {}};
    const auto all = fetched.selection.all();
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const auto& [role, list] : roles_of(fetched.selection))
            for (const auto& package : *list)
                if (package.name == all[i].name)
                    archive.files.push_back({role,
                                             package.name,
                                             package.version,
                                             package.sha256,
                                             fetched.debs[i].filename().string()});
    return save_archive(save / archive_name(request_of(recipe)), archive, fetched.debs);
}

/// What the packages were chosen from has those of each extra library.
Result<void> check_extra(const std::string& source,
                         const std::vector<ExtraLibrary>& extra,
                         const PackageSelection& selection) {
    for (const auto& library : extra)
        for (const auto& package : library.packages)
            if (selection.find(package) == nullptr)
                return support::fail(
                    ErrorKind::toolchain,
                    fmt::format(
                        "{} has no package `{}`, which `{}` needs", source, package, library.name),
                    "leave it out, or use an installed ROCm (`--rocm PATH`)");
    return {};
}

/// The rules with the packages of extra libraries.
RocmPackages with_extra(RocmPackages rules, const std::vector<ExtraLibrary>& extra) {
    for (const auto& library : extra)
        rules.headers.insert(rules.headers.end(), library.packages.begin(), library.packages.end());
    return rules;
}

/// AMD's name of a header package: Debian's `librocwmma-dev` is `rocwmma-dev`.
std::vector<ExtraLibrary> with_names_of_amd(std::vector<ExtraLibrary> extra) {
    for (auto& library : extra)
        for (auto& package : library.packages)
            if (package.starts_with("lib"))
                package.erase(0, 3);
    return extra;
}

/// The extra libraries that are asked for, with the names of this layout.
Result<std::vector<ExtraLibrary>> extra_packages(const RocmRecipe& recipe,
                                                 const AddOptions& options) {
    KB_TRY_ASSIGN(extra, extra_of(options.extra));
    return recipe.layout == PackageLayout::amd ? with_names_of_amd(std::move(extra)) : extra;
}

AmdPackages with_extra(AmdPackages rules, const std::vector<ExtraLibrary>& extra) {
    for (const auto& library : extra)
        rules.headers.insert(rules.headers.end(), library.packages.begin(), library.packages.end());
    return rules;
}

Result<AptMirror> mirror_of(const RocmRecipe& recipe) {
    if (recipe.repository.empty())
        return find_apt_mirror(recipe.distribution);
    if (!recipe.keyring.empty() && !support::is_file(recipe.keyring))
        return support::fail(ErrorKind::toolchain,
                             fmt::format("there is no keyring `{}`, which {} is signed with",
                                         recipe.keyring,
                                         recipe.label));
    return AptMirror{recipe.repository, recipe.keyring};
}

tl::unexpected<support::Error> moved_on(const RocmRecipe& recipe, const model::Version& now) {
    return support::fail(ErrorKind::toolchain,
                         fmt::format("{} now carries HIP {}, not {}",
                                     recipe.label,
                                     now.to_string(),
                                     recipe.version.dotted()),
                         "use another version that `kbuild toolchain list` names, or an installed "
                         "ROCm (`--rocm PATH`)");
}

/// The HIP that the chosen packages make, if it is not the recipe's: known before 80 MB are
/// fetched.
std::optional<model::Version> other_hip(const RocmRecipe& recipe,
                                        const PackageSelection& selection) {
    const auto* const package =
        selection.find(recipe.layout == PackageLayout::amd ? "hip-dev" : "libamdhip64-dev");
    const auto version =
        package == nullptr ? std::nullopt : model::Version::parse(package->upstream_version());
    if (!version || version->major_minor() == recipe.version)
        return std::nullopt;
    return version->major_minor();
}

Result<FetchedPackages> fetch_packages(const RocmRecipe& recipe,
                                       const RocmRules& rules,
                                       const fs::path& downloads,
                                       const OnProgress& on_progress,
                                       const AddOptions& options) {
    KB_TRY_ASSIGN(mirror, mirror_of(recipe));
    KB_TRY_ASSIGN(repository, make_apt_repository(downloads / "apt", mirror, recipe));
    on_progress(fmt::format("reading the package lists of {}", recipe.label));
    KB_TRY(update_lists(repository));
    KB_TRY_ASSIGN(extra, extra_packages(recipe, options));
    const auto lookup = [&](const std::vector<std::string>& names) {
        return show_packages(repository, names);
    };
    auto selected = recipe.layout == PackageLayout::amd
                        ? select_amd_packages(with_extra(rules.amd, extra), lookup)
                        : select_packages(with_extra(rules.debian, extra), lookup);
    if (!selected)
        return support::pass_on(std::move(selected),
                                fmt::format("choosing the packages of {}", recipe.label));
    auto selection = std::move(*selected);
    KB_TRY(check_wanted(request_of(recipe), options, files_of(selection)));
    if (const auto other = other_hip(recipe, selection))
        return FetchedPackages{{}, {}, other};
    KB_TRY(check_extra(recipe.label, extra, selection));
    const auto packages = selection.all();
    on_progress(fmt::format("fetching {} ({})",
                            support::plural(packages.size(), "package"),
                            support::human_size(total_size(packages))));
    KB_TRY_ASSIGN(debs, download_packages(repository, packages, downloads / "debs"));
    FetchedPackages fetched{std::move(selection), std::move(debs)};
    if (options.save)
        KB_TRY(save_packages(recipe, fetched, *options.save));
    return fetched;
}

Result<FetchedPackages> get_packages(const RocmRecipe& recipe,
                                     const RocmRules& rules,
                                     const fs::path& downloads,
                                     const OnProgress& on_progress,
                                     const AddOptions& options) {
    if (!options.from)
        return fetch_packages(recipe, rules, downloads, on_progress, options);
    KB_TRY_ASSIGN(saved, saved_packages(recipe, *options.from));
    KB_TRY_ASSIGN(extra, extra_packages(recipe, options));
    KB_TRY(check_extra(fmt::format("what was saved of {}", recipe.label), extra, saved.selection));
    KB_TRY(check_wanted(request_of(recipe), options, files_of(saved.selection)));
    return saved;
}

/// The .debs of some of the packages.
std::vector<fs::path> debs_of(const FetchedPackages& fetched, const std::vector<Package>& wanted) {
    const auto all = fetched.selection.all();
    std::vector<fs::path> files;
    for (const auto& package : wanted)
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].name == package.name)
                files.push_back(fetched.debs[i]);
    return files;
}

Result<void> build_prefix(const RocmRecipe& recipe,
                          const FetchedPackages& fetched,
                          const RocmRules& rules,
                          const fs::path& staging,
                          const fs::path& final_place) {
    KB_TRY_ASSIGN(scratch, support::TempDir::create(staging, ".parts-"));
    if (recipe.layout == PackageLayout::amd) {
        KB_TRY(unpack_debs(debs_of(fetched, fetched.selection.parts), scratch.path()));
        return place_amd_rocm(scratch.path(), staging);
    }
    const UnpackedPackages packages{
        scratch.path() / "parts", scratch.path() / "link", fetched.selection.compiler_major};
    KB_TRY(unpack_debs(debs_of(fetched, fetched.selection.compiler), staging / "distro"));
    KB_TRY(unpack_debs(debs_of(fetched, fetched.selection.parts), packages.parts));
    KB_TRY(unpack_debs(debs_of(fetched, fetched.selection.link_only), packages.link_only));
    return make_rocm_prefix(staging, final_place, packages, rules.debian);
}

std::string version_of(const PackageSelection& selection, const std::string& name) {
    const auto* package = selection.find(name);
    return package != nullptr ? package->upstream_version() : std::string("?");
}

/// Says from the real packages what the SDK is made of: a rebuild of one ROCm, or a mix of several.
void set_origin(model::RocmSdk& sdk, const RocmRecipe& recipe, const PackageSelection& selection) {
    const auto& major = selection.compiler_major;
    const auto hip = version_of(selection, "libamdhip64-dev");
    const auto hipcc = version_of(selection, "hipcc");
    const auto device_libs = version_of(selection, "rocm-device-libs-" + major);
    const auto same = [&](const std::string& version) {
        return model::Version::parse(version).value_or(model::Version()).major_minor() ==
               sdk.short_version();
    };
    sdk.origin =
        same(hip) && same(hipcc) && same(device_libs) ? model::Origin::rebuild : model::Origin::mix;
    sdk.origin_note =
        fmt::format("{}: HIP {}, hipcc {}, device libraries {}, clang {} (LLVM's, not AMD's)",
                    recipe.label,
                    hip,
                    hipcc,
                    device_libs,
                    version_of(selection, "clang-" + major));
}

std::string content_fingerprint(const std::vector<FetchedFile>& files) {
    support::Fingerprint print;
    print.add("kind", "apt-rocm").add("format", std::to_string(kManifestFormat));
    for (const auto& file : files)
        print.add("name", file.name).add("version", file.version).add("sha256", file.sha256);
    return print.hex();
}

Making describe_making(const model::RocmSdk& sdk,
                       const RocmRecipe& recipe,
                       const PackageSelection& selection) {
    Making making;
    making.source = recipe.label;
    const auto compiler =
        selection.compiler_major.empty()
            ? "rocm-llvm " + version_of(selection, "rocm-llvm")
            : "clang " + version_of(selection, "clang-" + selection.compiler_major);
    making.summary = fmt::format("HIP {}, {}, from {} ({})",
                                 sdk.full_version,
                                 compiler,
                                 recipe.label,
                                 model::to_string(sdk.origin));
    making.files = files_of(selection);
    return making;
}

} // namespace

Result<Prepared> prepare_rocm(const RocmRecipe& recipe,
                              const RocmRules& rules,
                              const Places& places,
                              const OnProgress& on_progress,
                              const AddOptions& options) {
    KB_TRY(need_tools(recipe));
    auto [packages, fetching] = timed_fetch(options, [&] {
        return get_packages(recipe, rules, places.downloads, on_progress, options);
    });
    KB_TRY_ASSIGN(fetched, std::move(packages));
    if (fetched.other_hip)
        return Prepared{*fetched.other_hip, fetching};
    on_progress("unpacking and preparing");
    KB_TRY(build_prefix(recipe, fetched, rules, places.staging, places.final_place));
    KB_TRY_ASSIGN(sdk, probe_rocm(places.staging));
    if (sdk.short_version() != recipe.version)
        return moved_on(recipe, sdk.version);
    sdk.name = request_of(recipe).name();
    sdk.provider = "apt";
    if (recipe.layout == PackageLayout::debian)
        set_origin(sdk, recipe, fetched.selection);
    auto making = describe_making(sdk, recipe, fetched.selection);
    making.extra = options.extra;
    sdk.fingerprint = content_fingerprint(making.files);
    KB_TRY(support::write_file_atomically(places.staging / kManifestName,
                                          write_manifest(sdk, making, places.final_place)));
    return Prepared{recipe.version, fetching};
}

Result<void> save_rocm(const RocmRecipe& recipe,
                       const RocmRules& rules,
                       const fs::path& downloads,
                       const OnProgress& on_progress,
                       const AddOptions& options) {
    KB_TRY(need_tools(recipe));
    KB_TRY_ASSIGN(fetched, fetch_packages(recipe, rules, downloads, on_progress, options));
    if (fetched.other_hip)
        return moved_on(recipe, *fetched.other_hip);
    return {};
}

} // namespace kbuild::toolchain
