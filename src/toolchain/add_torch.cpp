#include "add_sdk_kinds.hpp"
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

/// `include` and, for a CUDA build, the headers as a ROCm build has them.
Result<void> place_headers(const fs::path& unpacked, const fs::path& staging) {
    const bool has_hip = support::is_file(unpacked / "include/c10/hip/HIPStream.h");
    KB_TRY(support::make_folder(staging / "rocm_include"));
    if (!has_hip)
        KB_TRY(run_script_ok("rocm_view.py",
                             {unpacked.string(), (staging / "rocm_include").string()}));
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

} // namespace

Result<void> prepare_torch(const TorchRecipe& recipe,
                           const fs::path& downloads,
                           const fs::path& staging,
                           const fs::path& final_place,
                           const OnProgress& on_progress) {
    KB_TRY(need_c_compiler());
    KB_TRY_ASSIGN(python, copy_python_headers(staging / "python_include"));
    on_progress(
        fmt::format("fetching the wheel of torch {} (about 550 MB)", recipe.version.dotted()));
    KB_TRY_ASSIGN(wheel, download_torch_wheel(recipe.version, downloads));
    KB_TRY_ASSIGN(digest, support::sha256_file(wheel));
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
    making.files = {{wheel.filename().string(), version.version, support::to_hex(digest)}};
    sdk.fingerprint = content_fingerprint(making.files.front(), python);
    return support::write_file_atomically(staging / kManifestName,
                                          write_manifest(sdk, making, final_place));
}

} // namespace kbuild::toolchain
