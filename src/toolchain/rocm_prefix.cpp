#include "rocm_prefix.hpp"

#include "hip_lang_config.hpp"
#include "host_architecture.hpp"
#include "runnable.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/stub_library.hpp"

#include <fmt/format.h>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

Result<void> make_link(const fs::path& target, const fs::path& link) {
    KB_TRY(support::make_folder(link.parent_path()));
    std::error_code code;
    fs::remove(link, code);
    fs::create_symlink(target, link, code);
    if (code)
        return tl::unexpected(support::errno_error(
            fmt::format("cannot create the link `{}`", support::display_path(link)), code.value()));
    return {};
}

/// Moves what is in `from` into `to`; a folder that is there already gets the contents.
Result<void> merge_into(const fs::path& from, const fs::path& to) {
    KB_TRY(support::make_folder(to));
    KB_TRY_ASSIGN(names, support::list_names(from));
    for (const auto& name : names) {
        const bool both_folders = support::is_folder(from / name) && support::is_folder(to / name);
        KB_TRY(both_folders ? merge_into(from / name, to / name)
                            : support::rename_path(from / name, to / name));
    }
    return {};
}

struct Places {
    fs::path prefix;
    fs::path distro;    ///< below prefix
    fs::path llvm;      ///< distro/usr/lib/llvm-N
    fs::path libraries; ///< distro/usr/lib/<triple>
};

/// Removes what is directly in `folder` and fits none of the patterns.
Result<void> keep_only(const fs::path& folder, const std::vector<std::string>& patterns) {
    KB_TRY_ASSIGN(names, support::list_names(folder));
    for (const auto& name : names)
        if (!matches_any(patterns, name))
            KB_TRY(support::remove_tree(folder / name));
    return {};
}

/// Of the compiler's packages only programs that a HIP build or a look into its results uses are
/// kept.
Result<void> thin_out(const Places& at, const std::string& major, const RocmPackages& rules) {
    KB_TRY(keep_only(at.distro, {"usr"}));
    KB_TRY(keep_only(at.distro / "usr", {"lib", "lib64"}));
    KB_TRY(keep_only(
        at.distro / "usr/lib",
        {"ld-linux-*", at.llvm.filename().string(), std::string(host_architecture().triple)}));
    KB_TRY(keep_only(at.llvm, {"bin", "lib"}));
    KB_TRY_ASSIGN(names, support::list_names(at.llvm / "bin"));
    for (const auto& name : names)
        if (!matches_any(rules.programs, name) || matches_any(rules.leave_programs, name))
            KB_TRY(support::remove_tree(at.llvm / "bin" / name));
    return keep_only(at.llvm / "lib/clang" / major / "lib/linux", rules.runtimes);
}

Result<void> make_compiler_runnable(const Places& at, const fs::path& loader) {
    // libLLVM and libclang-cpp have a RUNPATH of $ORIGIN/../lib, which switches the program's RPATH
    // off for them.
    KB_TRY(make_link(fs::path(host_architecture().triple), at.distro / "usr/lib/lib"));
    KB_TRY_ASSIGN(programs, programs_in(at.llvm / "bin"));
    // llvm-objdump and others fetch debug information over HTTP when told to; nothing else of
    // libcurl is called.
    KB_TRY(settle_needs(programs, {at.libraries, at.llvm / "lib"}, {"libcurl.so.4"}));
    KB_TRY_ASSIGN(kept, programs_in(at.llvm / "bin"));
    return make_runnable(
        kept, loader, fmt::format("$ORIGIN/../../{}:$ORIGIN/../lib", host_architecture().triple));
}

/// hipcc 5.7 starts `clang++-17` and `llc-17` in HIP_CLANG_PATH.
Result<void> add_versioned_names(const Places& at, const std::string& major) {
    for (const auto* name : {"clang++", "llc"})
        if (const auto link = at.llvm / "bin" / fmt::format("{}-{}", name, major);
            !support::path_exists(link))
            KB_TRY(make_link(name, link));
    return {};
}

Result<void> link_compiler(const Places& at, const std::string& major) {
    const auto relative = fs::path("../distro/usr/lib") / at.llvm.filename();
    KB_TRY(make_link(relative / "bin", at.prefix / "llvm/bin"));
    KB_TRY(make_link(relative / "lib", at.prefix / "llvm/lib"));
    KB_TRY(make_link("../llvm", at.prefix / "lib/llvm"));
    const auto amdgcn = fs::path("lib/clang") / major / "amdgcn";
    if (!support::is_file(at.llvm / amdgcn / "bitcode/ocml.bc"))
        return support::fail(ErrorKind::toolchain,
                             "the device libraries' package holds no `amdgcn/bitcode/ocml.bc`");
    return make_link(fs::path("distro/usr/lib") / at.llvm.filename() / amdgcn,
                     at.prefix / "amdgcn");
}

Result<void> take_parts(const Places& at, const fs::path& parts, const fs::path& loader) {
    KB_TRY(merge_into(parts / "usr/include", at.prefix / "include"));
    KB_TRY(merge_into(parts / "usr/bin", at.prefix / "bin"));
    KB_TRY(merge_into(parts / "usr/share/hip", at.prefix / "share/hip"));
    KB_TRY(merge_into(parts / "usr/share/perl5", at.prefix / "bin"));
    KB_TRY_ASSIGN(programs, programs_in(at.prefix / "bin"));
    return make_runnable(
        programs, loader, fmt::format("$ORIGIN/../distro/usr/lib/{}", host_architecture().triple));
}

/// lib/libamdhip64.so.N with the names of the real one, which needs libraries that the host does
/// not have.
Result<void> make_hip_stub(const Places& at, const fs::path& link_only) {
    const auto folder = link_only / "usr/lib" / host_architecture().triple;
    KB_TRY_ASSIGN(names, support::list_names(folder));
    for (const auto& name : names) {
        if (!name.starts_with("libamdhip64.so.") || is_link(folder / name))
            continue;
        KB_TRY_ASSIGN(library, elf::read_elf(folder / name));
        KB_TRY(make_stub_library(
            at.prefix / "lib" / library.soname, library.soname, exported_symbols(library)));
        return make_link(library.soname, at.prefix / "lib/libamdhip64.so");
    }
    return support::fail(ErrorKind::toolchain,
                         "the HIP runtime's package holds no `libamdhip64.so`");
}

/// AMD's packages link to places below /opt/rocm-X.Y.Z; the SDK lies elsewhere.
Result<void> make_links_relative(const fs::path& root, const fs::path& installed) {
    std::error_code code;
    std::vector<std::pair<fs::path, fs::path>> links;
    for (fs::recursive_directory_iterator entry(root, code), end; !code && entry != end;
         entry.increment(code)) {
        if (!entry->is_symlink(code))
            continue;
        const auto inside = fs::read_symlink(entry->path(), code).lexically_relative(installed);
        if (!inside.empty() && *inside.begin() != "..")
            links.emplace_back(entry->path(), root / inside);
    }
    if (code)
        return support::fail(ErrorKind::failed,
                             fmt::format("cannot read `{}`: {}", root.string(), code.message()));
    for (const auto& [link, target] : links)
        KB_TRY(make_link(target.lexically_relative(link.parent_path()), link));
    return {};
}

} // namespace

Result<void> place_amd_rocm(const fs::path& unpacked, const fs::path& prefix) {
    KB_TRY_ASSIGN(names, support::list_names(unpacked / "opt"));
    for (const auto& name : names) {
        const auto folder = unpacked / "opt" / name;
        if (!name.starts_with("rocm") || is_link(folder) || !support::is_folder(folder))
            continue;
        KB_TRY(make_links_relative(folder, fs::path("/opt") / name));
        return merge_into(folder, prefix);
    }
    return support::fail(ErrorKind::toolchain,
                         "AMD's packages installed nothing into `opt/rocm-…`: the repository is "
                         "not laid out as `layout = \"amd\"` says");
}

Result<void> make_rocm_prefix(const fs::path& prefix,
                              const fs::path& final_place,
                              const UnpackedPackages& packages,
                              const RocmPackages& rules) {
    Places at;
    at.prefix = prefix;
    at.distro = prefix / "distro";
    at.llvm = at.distro / "usr/lib" / ("llvm-" + packages.compiler_major);
    at.libraries = at.distro / "usr/lib" / host_architecture().triple;
    const auto loader = final_place / "distro" / host_architecture().loader;
    KB_TRY(thin_out(at, packages.compiler_major, rules));
    KB_TRY(make_compiler_runnable(at, loader));
    KB_TRY(add_versioned_names(at, packages.compiler_major));
    KB_TRY(link_compiler(at, packages.compiler_major));
    KB_TRY(take_parts(at, packages.parts, loader));
    KB_TRY(make_hip_stub(at, packages.link_only));
    return support::write_file_atomically(prefix / "lib/cmake/hip-lang/hip-lang-config.cmake",
                                          hip_lang_config());
}

} // namespace kbuild::toolchain
