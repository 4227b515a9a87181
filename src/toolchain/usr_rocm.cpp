#include "usr_rocm.hpp"

#include "hip_lang_config.hpp"
#include "host_architecture.hpp"
#include "manifest.hpp"
#include "probe_rocm.hpp"
#include "store_slot.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

/// Folders below `include` that belong to ROCm; the rest of /usr/include stays out of the view.
constexpr std::array kHeaders = {std::string_view("amd_comgr"), std::string_view("ck"),
                                 std::string_view("ck_tile"),   std::string_view("hip"),
                                 std::string_view("hipblas"),   std::string_view("hipblas-common"),
                                 std::string_view("hipblaslt"), std::string_view("hipcub"),
                                 std::string_view("hipfft"),    std::string_view("hiprand"),
                                 std::string_view("hipsolver"), std::string_view("hipsparse"),
                                 std::string_view("hsa"),       std::string_view("miopen"),
                                 std::string_view("rccl"),      std::string_view("rocblas"),
                                 std::string_view("rocfft"),    std::string_view("rocprim"),
                                 std::string_view("rocrand"),   std::string_view("rocsolver"),
                                 std::string_view("rocsparse"), std::string_view("rocthrust"),
                                 std::string_view("rocwmma"),   std::string_view("thrust")};

struct Compiler {
    fs::path llvm;       ///< holds bin and lib
    std::string version; ///< `21`; empty where the folder does not say
    fs::path amdgcn;     ///< its own; empty if it has none
};

struct UsrParts {
    Compiler compiler;
    fs::path amdgcn; ///< holds bitcode/
    fs::path hip_library;
};

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> folders;
    for (const auto& name : support::list_names(folder).value_or(std::vector<std::string>()))
        if (support::is_folder(folder / name))
            folders.push_back(folder / name);
    return folders;
}

bool has_bitcode(const fs::path& amdgcn) {
    return support::is_file(amdgcn / "bitcode/ocml.bc");
}

/// Every folder with device bitcode: inside the compilers, and shared by all.
std::vector<fs::path> bitcode_below(const fs::path& root, const std::vector<Compiler>& compilers) {
    std::vector<fs::path> found;
    for (const auto& compiler : compilers)
        if (!compiler.amdgcn.empty())
            found.push_back(compiler.amdgcn);
    std::vector<fs::path> others{root / "lib" / host_architecture().triple / "amdgcn",
                                 root / "lib/amdgcn",
                                 root / "lib64/amdgcn",
                                 root / "share/amdgcn"};
    for (const auto& version : folders_in(root / "lib/clang"))
        others.push_back(version / "amdgcn");
    for (const auto& llvm : folders_in(root / "lib"))
        if (llvm.filename().string().starts_with("llvm-"))
            for (const auto& version : folders_in(llvm / "lib/clang"))
                others.push_back(version / "amdgcn");
    for (const auto& amdgcn : others)
        if (has_bitcode(amdgcn) && std::find(found.begin(), found.end(), amdgcn) == found.end())
            found.push_back(amdgcn);
    return found;
}

fs::path own_bitcode(const fs::path& llvm) {
    for (const auto& version : folders_in(llvm / "lib/clang"))
        for (const auto* const place : {"amdgcn", "lib/amdgcn"})
            if (has_bitcode(version / place))
                return version / place;
    return {};
}

/// Debian's lib/llvm-N, by version, and Fedora's lib64/rocm/llvm.
std::vector<Compiler> compilers_below(const fs::path& root) {
    std::vector<Compiler> compilers;
    constexpr std::string_view kPrefix = "llvm-";
    for (const auto& folder : folders_in(root / "lib")) {
        const auto name = folder.filename().string();
        if (name.starts_with(kPrefix) && support::path_exists(folder / "bin/clang++"))
            compilers.push_back({folder, name.substr(kPrefix.size()), own_bitcode(folder)});
    }
    std::sort(compilers.begin(), compilers.end(), [](const Compiler& a, const Compiler& b) {
        return model::Version::parse(a.version).value_or(model::Version()) <
               model::Version::parse(b.version).value_or(model::Version());
    });
    for (const auto* const place : {"lib64/rocm/llvm", "lib/rocm/llvm"})
        if (support::path_exists(root / place / "bin/clang++"))
            compilers.push_back({root / place, {}, own_bitcode(root / place)});
    return compilers;
}

tl::unexpected<support::Error> lacks(const std::string& what, const std::string& fix) {
    return support::fail(ErrorKind::toolchain, fmt::format("there is no {}", what), fix);
}

std::string listed(const std::vector<fs::path>& paths) {
    std::vector<std::string> texts;
    for (const auto& path : paths)
        texts.push_back(fmt::format("`{}`", path.string()));
    return support::join(texts, ", ");
}

/// The newest compiler that has bitcode of its own; else the oldest, with the bitcode that all
/// share: bitcode is read by the LLVM that made it and by newer ones.
Result<UsrParts> choose_compiler(const fs::path& root) {
    const auto compilers = compilers_below(root);
    if (compilers.empty())
        return lacks(fmt::format("clang in `{}`", (root / "lib/llvm-*/bin").string()),
                     "apt-get install hipcc");
    for (auto at = compilers.rbegin(); at != compilers.rend(); ++at)
        if (!at->amdgcn.empty())
            return UsrParts{*at, at->amdgcn, {}};
    const auto bitcode = bitcode_below(root, compilers);
    const auto shared = std::find_if(bitcode.begin(), bitcode.end(), [&](const fs::path& amdgcn) {
        return !support::contains(amdgcn.string(), "/lib/clang/");
    });
    if (shared != bitcode.end())
        return UsrParts{compilers.front(), *shared, {}};
    const auto package = "apt-get install rocm-device-libs-" + compilers.back().version;
    if (bitcode.empty())
        return lacks(fmt::format("device bitcode for the compiler in `{}` (`lib/clang/*/amdgcn`)",
                                 compilers.back().llvm.string()),
                     package);
    return support::fail(ErrorKind::toolchain,
                         fmt::format("the device bitcode in {} is not of the compiler in `{}`",
                                     listed(bitcode),
                                     compilers.back().llvm.string()),
                         package);
}

Result<UsrParts> look_at(const fs::path& root) {
    if (!support::is_file(root / "include/hip/hip_runtime.h"))
        return lacks(fmt::format("`{}`", (root / "include/hip/hip_runtime.h").string()),
                     "apt-get install libamdhip64-dev");
    KB_TRY_ASSIGN(parts, choose_compiler(root));
    for (const auto& folder :
         {root / "lib" / host_architecture().triple, root / "lib64", root / "lib"})
        if (support::is_file(folder / "libamdhip64.so")) {
            parts.hip_library = folder / "libamdhip64.so";
            return parts;
        }
    return lacks("`libamdhip64.so`", "apt-get install libamdhip64-dev");
}

Result<void> link_to(const fs::path& target, const fs::path& link) {
    KB_TRY(support::make_folder(link.parent_path()));
    std::error_code code;
    fs::create_symlink(target, link, code);
    if (code)
        return support::fail(
            ErrorKind::failed,
            fmt::format("cannot create the link `{}`: {}", link.string(), code.message()));
    return {};
}

/// clang takes a prefix without this file for HIP 3.5, whose headers it treats otherwise.
Result<void> write_version(const fs::path& view) {
    KB_TRY_ASSIGN(sdk, probe_rocm(view));
    const auto parts = support::split(sdk.full_version, '.');
    return support::write_file_atomically(
        view / "share/hip/version",
        fmt::format("HIP_VERSION_MAJOR={}\nHIP_VERSION_MINOR={}\nHIP_VERSION_PATCH={}\n",
                    parts.at(0),
                    parts.at(1),
                    parts.at(2)));
}

/// Links to the parts, in the shape of /opt/rocm.
Result<void> make_view(const fs::path& root, const UsrParts& parts, const fs::path& view) {
    for (const auto* const name : {"hipcc", "hipconfig"})
        if (support::path_exists(root / "bin" / name))
            KB_TRY(link_to(root / "bin" / name, view / "bin" / name));
    for (const auto& name : kHeaders)
        if (support::is_folder(root / "include" / name))
            KB_TRY(link_to(root / "include" / name, view / "include" / name));
    KB_TRY(link_to(parts.compiler.llvm / "bin", view / "llvm/bin"));
    KB_TRY(link_to(parts.compiler.llvm / "lib", view / "llvm/lib"));
    KB_TRY(link_to("../llvm", view / "lib/llvm"));
    KB_TRY(link_to(parts.amdgcn, view / "amdgcn"));
    KB_TRY(link_to(parts.hip_library, view / "lib/libamdhip64.so"));
    if (support::path_exists(root / "share/hip/version"))
        KB_TRY(link_to(root / "share/hip/version", view / "share/hip/version"));
    else
        KB_TRY(write_version(view));
    return support::write_file_atomically(view / "lib/cmake/hip-lang/hip-lang-config.cmake",
                                          hip_lang_config());
}

std::string state_of(const fs::path& root, const UsrParts& parts) {
    support::Fingerprint print;
    for (const auto& file : {root / "include/hip/hip_version.h",
                             parts.compiler.llvm / "bin/clang++",
                             parts.amdgcn / "bitcode/ocml.bc",
                             parts.hip_library,
                             root / "include"}) {
        std::error_code code;
        const auto time = fs::last_write_time(file, code);
        print.add("path", file.string())
            .add("size", std::to_string(support::size_of_file(file)))
            .add("time", code ? std::string() : std::to_string(time.time_since_epoch().count()));
    }
    return print.hex();
}

Result<void> fill_view(const fs::path& root,
                       const UsrParts& parts,
                       const fs::path& staging,
                       const fs::path& final_place) {
    KB_TRY(make_view(root, parts, staging));
    KB_TRY_ASSIGN(sdk, probe_rocm(staging));
    sdk.name = root.string();
    sdk.provider = "distribution";
    sdk.origin = model::Origin::rebuild;
    sdk.origin_note = fmt::format("a distribution's, in `{}`: HIP {}, clang {}, bitcode of `{}`",
                                  root.string(),
                                  sdk.full_version,
                                  parts.compiler.version,
                                  (parts.amdgcn / "bitcode").string());
    Making making;
    making.source = root.string();
    making.summary = sdk.origin_note;
    return support::write_file_atomically(staging / kManifestName,
                                          write_manifest(sdk, making, final_place));
}

} // namespace

bool has_usr_rocm(const fs::path& root) {
    return support::path_exists(root / "bin/hipcc") && !support::is_folder(root / "llvm") &&
           !support::is_folder(root / "lib/llvm/bin") && support::is_folder(root / "include");
}

Result<model::RocmSdk> probe_usr_rocm(const Store& store, const fs::path& root) {
    auto parts = look_at(root);
    if (!parts)
        return support::pass_on(
            std::move(parts),
            fmt::format("looking at the distribution's ROCm in `{}`", root.string()));
    const auto slot = "local-rocm-" + state_of(root, *parts).substr(0, 16);
    const auto folder = sdk_folder(store, slot);
    if (auto made = read_rocm_manifest(folder))
        return std::move(*made);
    auto filled = fill_slot(
        store,
        slot,
        {},
        [&] { return read_rocm_manifest(folder).has_value(); },
        [&](const fs::path& staging, const fs::path& final_place) {
            return fill_view(root, *parts, staging, final_place);
        });
    if (!filled)
        return support::pass_on(
            std::move(filled),
            fmt::format("making a prefix for the distribution's ROCm in `{}`", root.string()));
    return read_rocm_manifest(folder);
}

} // namespace kbuild::toolchain
