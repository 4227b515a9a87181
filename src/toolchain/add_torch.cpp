#include "add_sdk_kinds.hpp"
#include "archive.hpp"
#include "manifest.hpp"
#include "pip_wheel.hpp"
#include "python.hpp"
#include "torch_place.hpp"
#include "torch_symbols.hpp"
#include "torch_version.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/toolchain/stub_library.hpp"

#include <fmt/format.h>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

/// Copies Python.h and its friends; returns the Python's version.
Result<std::string> copy_python_headers(const fs::path& into) {
    KB_TRY_ASSIGN(output, run_script("python_headers.py", {into.string()}));
    if (output.status.code == 3)
        return support::fail(ErrorKind::toolchain,
                             "this `python3` has no C headers (`Python.h`)",
                             "apt-get install python3-dev");
    if (!output.status.ok())
        return support::fail(ErrorKind::toolchain,
                             fmt::format("cannot copy Python's headers: {}", output.err));
    return std::string(support::trim(output.out));
}

/// Why ROCm variants cannot be built with what was unpacked; empty if they can.
std::string obstacle_to_rocm(const fs::path& unpacked, const TorchVersion& version) {
    if (version.build == model::TorchBuild::cpu)
        return fmt::format("torch {} is a CPU build, which has neither the headers nor the names "
                           "of torch's GPU libraries",
                           version.full);
    if (version.build == model::TorchBuild::cuda && !support::is_folder(unpacked / "hipify"))
        return fmt::format("torch {} is a CUDA build without the hipify that makes ROCm's headers "
                           "of it; a wheel has it",
                           version.full);
    return {};
}

/// `include`, the converter of CUDA sources and, for a CUDA build, the headers as a ROCm build has
/// them.
Result<void> place_headers(const fs::path& unpacked, const fs::path& staging, bool with_rocm) {
    const bool has_hip = support::is_file(unpacked / "include/c10/hip/HIPStream.h");
    KB_TRY(support::make_folder(staging / "rocm_include"));
    if (with_rocm && !has_hip)
        KB_TRY(run_script_ok("rocm_view.py",
                             {unpacked.string(), (staging / "rocm_include").string()}));
    if (support::is_folder(unpacked / "hipify"))
        KB_TRY(support::rename_path(unpacked / "hipify", staging / "hipify"));
    return support::rename_path(unpacked / "include", staging / "include");
}

model::TorchSdk describe(const fs::path& root, const TorchVersion& version) {
    model::TorchSdk sdk;
    sdk.name = SdkRequest{SdkRequest::Kind::torch, version.version.major_minor()}.name();
    sdk.full_version = version.full;
    sdk.version = version.version;
    sdk.build = version.build;
    sdk.rocm = version.rocm;
    sdk.root = root;
    sdk.include = {root / "include", root / "include/torch/csrc/api/include"};
    sdk.rocm_include = {root / "rocm_include"};
    sdk.python_include = root / "python_include";
    sdk.stub_dir = root / "stubs";
    sdk.symbols_dir = root / "symbols";
    return sdk;
}

std::string content_fingerprint(const FetchedFile& wheel, const std::string& python) {
    return support::Fingerprint()
        .add("kind", "pip-torch")
        .add("format", std::to_string(kManifestFormat))
        .add("wheel", wheel.name)
        .add("sha256", wheel.sha256)
        .add("python", python)
        .hex();
}

/// By the bytes of all headers and by the names of the libraries.
Result<std::string> content_fingerprint(const model::TorchSdk& sdk, const std::string& python) {
    support::Fingerprint print;
    print.add("kind", "torch-folder").add("format", std::to_string(kManifestFormat));
    print.add("version", sdk.full_version).add("python", python);
    for (const auto& folder : {sdk.root / "include", sdk.symbols_dir}) {
        KB_TRY_ASSIGN(files, support::list_files(folder));
        for (const auto& file : files) {
            KB_TRY_ASSIGN(digest, support::sha256_file(folder / file));
            print.add(file.generic_string(), support::to_hex(digest));
        }
    }
    return print.hex();
}

/// Makes an SDK of `unpacked`, which holds include/, lib/ and, if the torch has it, hipify/. All
/// but name of the provider, fingerprint and manifest.
Result<model::TorchSdk>
make_torch(const fs::path& unpacked, const TorchVersion& version, const fs::path& staging) {
    auto sdk = describe(staging, version);
    sdk.no_rocm = obstacle_to_rocm(unpacked, version);
    KB_TRY(place_headers(unpacked, staging, sdk.no_rocm.empty()));
    if (support::is_folder(staging / "hipify"))
        sdk.hipify = staging / "hipify";
    KB_TRY_ASSIGN(
        cxx11_abi,
        make_torch_stubs(unpacked / "lib", sdk.stub_dir, sdk.symbols_dir, sdk.no_rocm.empty()));
    sdk.cxx11_abi = cxx11_abi;
    return sdk;
}

/// `(CPU build)`, `(ROCm 7.2 build)`; nothing for the CUDA builds that the Python index has.
std::string build_note(const model::TorchSdk& sdk) {
    if (sdk.build == model::TorchBuild::cuda)
        return {};
    return fmt::format(" ({}{} build)",
                       model::to_string(sdk.build),
                       sdk.rocm ? " " + sdk.rocm->dotted() : std::string());
}

SdkRequest request_of(const TorchRecipe& recipe) {
    return {SdkRequest::Kind::torch, recipe.version};
}

/// A wheel and what is recorded of it.
struct FetchedWheel {
    fs::path path;
    FetchedFile file;
};

Result<FetchedWheel> saved_wheel(const TorchRecipe& recipe, const fs::path& from) {
    const auto folder = from / archive_name(request_of(recipe));
    KB_TRY_ASSIGN(archive, open_archive(folder, request_of(recipe).name()));
    if (archive.files.size() != 1)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("`{}` holds no wheel", support::display_path(folder)));
    const auto& file = archive.files.front();
    return FetchedWheel{folder / file.file, {file.name, file.version, file.sha256}};
}

/// The version that is wanted to the byte, without what the maker of the wheel adds (`+cu130`).
std::optional<model::Version> wanted_version(const AddOptions& options) {
    if (options.wanted.size() != 1)
        return std::nullopt;
    const auto& text = options.wanted.front().version;
    return model::Version::parse(text.substr(0, text.find('+')));
}

Result<FetchedWheel> fetch_wheel(const TorchRecipe& recipe,
                                 const fs::path& downloads,
                                 const OnProgress& on_progress,
                                 const AddOptions& options) {
    on_progress(fmt::format("fetching the wheel of torch {} ({})",
                            recipe.version.dotted(),
                            recipe.index_url.empty() ? "about 550 MB" : "from another index"));
    KB_TRY_ASSIGN(path, download_torch_wheel(recipe, wanted_version(options), downloads));
    KB_TRY_ASSIGN(digest, support::sha256_file(path));
    const auto name = path.filename().string();
    const auto version = support::split(name, '-').at(1);
    FetchedWheel wheel{path, {name, version, support::to_hex(digest)}};
    if (options.save)
        KB_TRY(save_archive(*options.save / archive_name(request_of(recipe)),
                            {request_of(recipe).name(),
                             "Python index",
                             {},
                             {{"wheel", name, version, wheel.file.sha256, name}}},
                            {path}));
    return wheel;
}

Result<FetchedWheel> get_wheel(const TorchRecipe& recipe,
                               const fs::path& downloads,
                               const OnProgress& on_progress,
                               const AddOptions& options) {
    KB_TRY_ASSIGN(wheel,
                  options.from ? saved_wheel(recipe, *options.from)
                               : fetch_wheel(recipe, downloads, on_progress, options));
    KB_TRY(check_wanted(request_of(recipe), options, {wheel.file}));
    return wheel;
}

/// What unpack_torch.py takes out of a wheel, of a folder. Libraries are only read, so they stay
/// where they are.
Result<void> gather_folder(const fs::path& folder, const fs::path& into) {
    std::error_code code;
    fs::copy(folder / "include", into / "include", fs::copy_options::recursive, code);
    if (!code && support::is_folder(folder / "utils/hipify"))
        fs::copy(folder / "utils/hipify", into / "hipify", fs::copy_options::recursive, code);
    if (!code)
        fs::create_directory_symlink(folder / "lib", into / "lib", code);
    if (code)
        return support::fail(ErrorKind::failed,
                             fmt::format("cannot copy torch's headers from `{}`: {}",
                                         folder.string(),
                                         code.message()));
    return {};
}

} // namespace

Result<Prepared> prepare_torch(const TorchRecipe& recipe,
                               const Places& places,
                               const OnProgress& on_progress,
                               const AddOptions& options) {
    const auto& staging = places.staging;
    KB_TRY(host_c_compiler());
    KB_TRY_ASSIGN(python, copy_python_headers(staging / "python_include"));
    auto [gotten, fetching] = timed_fetch(
        options, [&] { return get_wheel(recipe, places.downloads, on_progress, options); });
    KB_TRY_ASSIGN(fetched, std::move(gotten));
    const auto& wheel = fetched.path;
    on_progress(fmt::format("taking headers and symbols out of {}", wheel.filename().string()));
    KB_TRY_ASSIGN(unpacked, support::TempDir::create(staging, ".wheel-"));
    KB_TRY_ASSIGN(printed,
                  run_script_ok("unpack_torch.py", {wheel.string(), unpacked.path().string()}));
    KB_TRY_ASSIGN(version, parse_version_file(printed));
    KB_TRY_ASSIGN(sdk, make_torch(unpacked.path(), version, staging));
    sdk.provider = "pip";
    Making making;
    making.source = "Python index";
    making.summary = fmt::format("torch {}{}, headers for Python {}, from {}",
                                 version.full,
                                 build_note(sdk),
                                 python,
                                 wheel.filename().string());
    making.files = {fetched.file};
    sdk.fingerprint = content_fingerprint(making.files.front(), python);
    KB_TRY(support::write_file_atomically(staging / kManifestName,
                                          write_manifest(sdk, making, places.final_place)));
    return Prepared{recipe.version, fetching};
}

Result<void>
prepare_torch_place(const TorchPlace& place, const Places& places, const OnProgress& on_progress) {
    const auto& staging = places.staging;
    KB_TRY(host_c_compiler());
    KB_TRY_ASSIGN(python, copy_python_headers(staging / "python_include"));
    on_progress(fmt::format("taking headers and symbols out of `{}`", place.path.string()));
    KB_TRY_ASSIGN(unpacked, support::TempDir::create(staging, ".torch-"));
    if (place.kind == TorchPlace::Kind::wheel)
        KB_TRY(run_script_ok("unpack_torch.py", {place.path.string(), unpacked.path().string()}));
    else
        KB_TRY(gather_folder(place.path, unpacked.path()));
    KB_TRY_ASSIGN(sdk, make_torch(unpacked.path(), place.version, staging));
    sdk.provider = to_string(place.kind);
    sdk.place = place.path;
    Making making;
    making.source = place.path.filename().string();
    making.summary = fmt::format("torch {}{}, headers for Python {}, from `{}`",
                                 place.version.full,
                                 build_note(sdk),
                                 python,
                                 place.path.string());
    if (place.kind == TorchPlace::Kind::wheel) {
        KB_TRY_ASSIGN(digest, support::sha256_file(place.path));
        making.files = {
            {place.path.filename().string(), place.version.full, support::to_hex(digest)}};
        sdk.fingerprint = content_fingerprint(making.files.front(), python);
    } else {
        KB_TRY_ASSIGN(print, content_fingerprint(sdk, python));
        sdk.fingerprint = print;
    }
    return support::write_file_atomically(staging / kManifestName,
                                          write_manifest(sdk, making, places.final_place));
}

Result<void> save_torch(const TorchRecipe& recipe,
                        const fs::path& downloads,
                        const OnProgress& on_progress,
                        const AddOptions& options) {
    KB_TRY_ASSIGN(wheel, fetch_wheel(recipe, downloads, on_progress, options));
    return check_wanted(request_of(recipe), options, {wheel.file});
}

} // namespace kbuild::toolchain
