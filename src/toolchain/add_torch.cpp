#include "add_sdk_kinds.hpp"
#include "archive.hpp"
#include "manifest.hpp"
#include "pip_wheel.hpp"
#include "python.hpp"
#include "torch_symbols.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/toolchain/stub_library.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

/// What torch/version.py of the wheel says.
struct WheelVersion {
    std::string version; ///< `2.13.0+cu130`
    std::string hip;     ///< empty for a CUDA build
};

Result<WheelVersion> parse_wheel_version(const std::string& text) {
    const auto document = nlohmann::json::parse(text, nullptr, false);
    if (!document.is_object() || !document.contains("__version__") ||
        !document["__version__"].is_string())
        return support::fail(ErrorKind::toolchain,
                             "the wheel's `torch/version.py` names no version");
    WheelVersion version;
    version.version = document["__version__"].get<std::string>();
    if (document.contains("hip") && document["hip"].is_string())
        version.hip = document["hip"].get<std::string>();
    return version;
}

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

/// `include`, the converter of CUDA sources and, for a CUDA build, the headers as a ROCm build has
/// them.
Result<void> place_headers(const fs::path& unpacked, const fs::path& staging) {
    const bool has_hip = support::is_file(unpacked / "include/c10/hip/HIPStream.h");
    KB_TRY(support::make_folder(staging / "rocm_include"));
    if (!has_hip)
        KB_TRY(run_script_ok("rocm_view.py",
                             {unpacked.string(), (staging / "rocm_include").string()}));
    KB_TRY(support::rename_path(unpacked / "hipify", staging / "hipify"));
    return support::rename_path(unpacked / "include", staging / "include");
}

model::TorchSdk
describe(const fs::path& root, const TorchRecipe& recipe, const WheelVersion& wheel) {
    model::TorchSdk sdk;
    sdk.name = SdkRequest{SdkRequest::Kind::torch, recipe.version}.name();
    sdk.full_version = wheel.version;
    sdk.provider = "pip";
    sdk.root = root;
    sdk.include = {root / "include", root / "include/torch/csrc/api/include"};
    sdk.rocm_include = {root / "rocm_include"};
    sdk.python_include = root / "python_include";
    sdk.stub_dir = root / "stubs";
    sdk.symbols_dir = root / "symbols";
    sdk.hipify = root / "hipify";
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
    on_progress(
        fmt::format("fetching the wheel of torch {} (about 550 MB)", recipe.version.dotted()));
    KB_TRY_ASSIGN(path, download_torch_wheel(recipe.version, wanted_version(options), downloads));
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

} // namespace

Result<void> prepare_torch(const TorchRecipe& recipe,
                           const Places& places,
                           const OnProgress& on_progress,
                           const AddOptions& options) {
    const auto& staging = places.staging;
    KB_TRY(need_c_compiler());
    KB_TRY_ASSIGN(python, copy_python_headers(staging / "python_include"));
    KB_TRY_ASSIGN(fetched, get_wheel(recipe, places.downloads, on_progress, options));
    const auto& wheel = fetched.path;
    on_progress(fmt::format("taking headers and symbols out of {}", wheel.filename().string()));
    KB_TRY_ASSIGN(unpacked, support::TempDir::create(staging, ".wheel-"));
    KB_TRY_ASSIGN(printed,
                  run_script_ok("unpack_torch.py", {wheel.string(), unpacked.path().string()}));
    KB_TRY_ASSIGN(version, parse_wheel_version(printed));
    KB_TRY(place_headers(unpacked.path(), staging));
    auto sdk = describe(staging, recipe, version);
    KB_TRY_ASSIGN(cxx11_abi,
                  make_torch_stubs(unpacked.path() / "lib", sdk.stub_dir, sdk.symbols_dir));
    sdk.cxx11_abi = cxx11_abi;
    Making making;
    making.source = "Python index";
    making.summary = fmt::format("torch {}, headers for Python {}, from {}",
                                 version.version,
                                 python,
                                 wheel.filename().string());
    making.files = {fetched.file};
    sdk.fingerprint = content_fingerprint(making.files.front(), python);
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
