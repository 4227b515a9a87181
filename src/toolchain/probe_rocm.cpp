#include "probe_rocm.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/process/command.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <optional>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

std::optional<fs::path> first_file(const fs::path& root,
                                   std::initializer_list<std::string_view> candidates) {
    for (const auto candidate : candidates)
        if (const auto path = root / candidate; support::is_file(path))
            return path;
    return std::nullopt;
}

/// The value of `#define NAME 6` or of a line `NAME=6`.
std::optional<std::string> value_of(const std::string& text, const std::string& name) {
    for (const auto& line : support::split(text, '\n')) {
        std::string_view rest = support::trim(line);
        if (rest.starts_with("#define "))
            rest = support::trim(rest.substr(8));
        if (!rest.starts_with(name) || rest.size() == name.size())
            continue;
        rest.remove_prefix(name.size());
        if (rest.front() != ' ' && rest.front() != '=' && rest.front() != '\t')
            continue;
        rest = support::trim(rest.substr(1));
        return std::string(rest.substr(0, rest.find_first_of(" \t")));
    }
    return std::nullopt;
}

struct HipVersion {
    std::string text;   ///< `6.4.43484`
    std::string source; ///< the file's bytes, for the fingerprint
};

Result<HipVersion> read_hip_version(const fs::path& root) {
    const auto file =
        first_file(root, {"include/hip/hip_version.h", "share/hip/version", "bin/.hipVersion"});
    if (!file)
        return support::fail(ErrorKind::toolchain, "there is no `include/hip/hip_version.h`");
    KB_TRY_ASSIGN(text, support::read_file(*file, 1U << 20U));
    const auto major = value_of(text, "HIP_VERSION_MAJOR");
    const auto minor = value_of(text, "HIP_VERSION_MINOR");
    const auto patch = value_of(text, "HIP_VERSION_PATCH");
    if (!major || !minor)
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("`{}` names no HIP version", support::display_path(*file)));
    return HipVersion{fmt::format("{}.{}.{}", *major, *minor, patch.value_or("0")), text};
}

/// Where bitcode has been found so far, relative to a root: AMD's place, which moved between
/// releases, and inside the compiler's resource folder.
std::vector<fs::path> bitcode_places(const fs::path& root) {
    std::vector<fs::path> candidates{"amdgcn/bitcode",
                                     "lib/llvm/amdgcn/bitcode",
                                     "lib/amdgcn/bitcode",
                                     "lib64/amdgcn/bitcode",
                                     "share/amdgcn/bitcode"};
    for (const auto* resources : {"lib/llvm/lib/clang", "llvm/lib/clang"}) {
        const auto versions = support::list_names(root / resources);
        if (!versions)
            continue;
        for (const auto& version : *versions)
            for (const auto* folder : {"lib/amdgcn/bitcode", "amdgcn/bitcode"})
                candidates.push_back(fs::path(resources) / version / folder);
    }
    return candidates;
}

std::optional<fs::path> find_bitcode(const fs::path& root) {
    for (const auto& candidate : bitcode_places(root))
        if (support::is_file(root / candidate / "ocml.bc"))
            return root / candidate;
    return std::nullopt;
}

/// Changes whenever the installation does: sizes and times of the files that decide what is
/// compiled.
std::string fingerprint_of(const model::RocmSdk& sdk, const std::string& version_text) {
    support::Fingerprint print;
    print.add("kind", "installed-rocm").add("version", version_text).add("soname", sdk.hip_soname);
    for (const auto& file : {sdk.clang,
                             sdk.bitcode / "ocml.bc",
                             sdk.bitcode / "ockl.bc",
                             sdk.include / "hip/hip_runtime.h",
                             sdk.root / ".info/version"}) {
        std::error_code code;
        const auto time = fs::last_write_time(file, code);
        const auto real = fs::canonical(file, code);
        print.add("file", real.filename().string())
            .add("size", std::to_string(support::size_of_file(file)))
            .add("time", code ? std::string() : std::to_string(time.time_since_epoch().count()));
    }
    return print.hex();
}

tl::unexpected<support::Error> missing(std::string_view what) {
    return support::fail(ErrorKind::toolchain, fmt::format("there is no {}", what));
}

/// Names the folders that were tried, and one that is there without what is needed.
tl::unexpected<support::Error> missing_bitcode(const fs::path& root) {
    std::vector<std::string> tried;
    std::string empty;
    for (const auto& place : bitcode_places(root)) {
        tried.push_back(fmt::format("`{}`", place.string()));
        if (empty.empty() && support::is_folder(root / place))
            empty = fmt::format("; `{}` is there, but holds no `ocml.bc`", place.string());
    }
    return support::fail(ErrorKind::toolchain,
                         fmt::format("there is no device bitcode `ocml.bc` in {}{}",
                                     support::join(tried, ", "),
                                     empty),
                         "install `rocm-device-libs` of this ROCm");
}

Result<model::RocmSdk> probe_parts(const fs::path& root) {
    model::RocmSdk sdk;
    sdk.root = root;
    KB_TRY_ASSIGN(version, read_hip_version(root));
    sdk.full_version = version.text;
    const auto parsed = model::Version::parse(version.text);
    if (!parsed)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("`{}` is no version of HIP", version.text));
    sdk.version = *parsed;
    if (!support::is_file(root / "include/hip/hip_runtime.h"))
        return missing("`include/hip/hip_runtime.h`");
    sdk.include = root / "include";
    const auto clang =
        first_file(root, {"llvm/bin/clang++", "lib/llvm/bin/clang++", "bin/amdclang++"});
    if (!clang)
        return missing("`llvm/bin/clang++`");
    sdk.clang = *clang;
    // hipcc hands its compiler's path to a shell without quotes: from such a place only clang++
    // itself works.
    if (support::shell_quote(root.string()) == root.string())
        sdk.hipcc = first_file(root, {"bin/hipcc"});
    sdk.amdclang =
        first_file(root, {"bin/amdclang++", "llvm/bin/amdclang++", "lib/llvm/bin/amdclang++"});
    const auto bitcode = find_bitcode(root);
    if (!bitcode)
        return missing_bitcode(root);
    sdk.bitcode = *bitcode;
    const auto library = first_file(root, {"lib/libamdhip64.so", "lib64/libamdhip64.so"});
    if (!library)
        return missing("`lib/libamdhip64.so`");
    sdk.hip_library = *library;
    KB_TRY_ASSIGN(file, elf::read_elf(*library));
    sdk.hip_soname = file.soname;
    sdk.fingerprint = fingerprint_of(sdk, version.source);
    return sdk;
}

} // namespace

Result<model::RocmSdk> probe_rocm(const fs::path& root) {
    if (!support::is_folder(root))
        return support::fail(ErrorKind::toolchain,
                             fmt::format("there is no folder `{}`", root.string()));
    auto probed = probe_parts(root);
    if (!probed) {
        probed.error().kind = ErrorKind::toolchain;
        return support::pass_on(std::move(probed),
                                fmt::format("looking for a ROCm in `{}`", root.string()));
    }
    auto sdk = std::move(*probed);
    // AMD's packages leave this file; a distribution's do not.
    if (support::is_file(root / ".info/version")) {
        sdk.origin = model::Origin::release;
    } else {
        sdk.origin = model::Origin::rebuild;
        sdk.origin_note = "no `.info/version`: not as AMD's packages install it";
    }
    return sdk;
}

} // namespace kbuild::toolchain
