#include "make_baseline.hpp"

#include "cxx_supplement.hpp"
#include "offered_names.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/model/version.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/embedded.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/toolchain/stub_library.hpp"

#include <fmt/format.h>

namespace kbuild::portable {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

constexpr const char* kCSupplement = "libc_supplement.a";
constexpr const char* kCxxSupplement = "libstdcxx_supplement.a";
constexpr const char* kCSource = "portable/libc_supplement.c";
constexpr const char* kCxxSource = "portable/libstdcxx_supplement.c";

std::string template_text(std::string_view name) {
    return std::string(support::embedded::find(support::embedded::templates(), name));
}

Result<LibrarySymbols> read_symbols(const HostLibraries& libraries) {
    LibrarySymbols symbols;
    for (const auto& [soname, path] : libraries.shared) {
        KB_TRY_ASSIGN(file, elf::read_elf(path));
        symbols[soname] = std::move(file.symbols);
    }
    return symbols;
}

/// The driver's own -lc, -lm, -lstdc++ and -lgcc_s find these scripts, since the baseline is first
/// among the folders of libraries; what they name is found the same way.
std::vector<std::pair<std::string, std::string>> linker_scripts() {
    return {{"libc.so",
             fmt::format(
                 "GROUP ( {} {} libc_nonshared.a AS_NEEDED ( libpthread.so.0 libdl.so.2 librt.so.1 "
                 "libutil.so.1 {} ) )",
                 kLibc,
                 kCSupplement,
                 dynamic_loader())},
            {"libdl.so", "INPUT ( libdl.so.2 )"},
            {"libgcc_s.so", fmt::format("GROUP ( {} -lgcc )", kLibgcc)},
            {"libm.so", "INPUT ( libm.so.6 )"},
            {"libpthread.so", "INPUT ( libpthread.so.0 )"},
            {"librt.so", "INPUT ( librt.so.1 )"},
            {"libstdc++.so", fmt::format("GROUP ( {} {} )", kLibstdcxx, kCxxSupplement)},
            {"libutil.so", "INPUT ( libutil.so.1 )"}};
}

Result<void> compile(const BaselineRequest& request,
                     std::string_view source,
                     const std::vector<std::string>& definitions,
                     const fs::path& object) {
    auto text = object;
    text.replace_extension(".c");
    KB_TRY(support::write_file_atomically(text, template_text(source)));
    // -fno-builtin: a function that is defined by its own name must not become a call of itself.
    std::vector<std::string> arguments{"-std=gnu11",
                                       "-O2",
                                       "-fPIC",
                                       "-fvisibility=hidden",
                                       "-ffunction-sections",
                                       "-fdata-sections",
                                       "-fno-builtin",
                                       "-w"};
    arguments.insert(arguments.end(), definitions.begin(), definitions.end());
    arguments.insert(arguments.end(), {"-c", "-o", object.string(), text.string()});
    KB_TRY(process::run_ok({request.c, arguments, {}, process::clean_environment()},
                           ErrorKind::toolchain));
    return {};
}

/// `ar` without times, owners and order of its own: the same members give the same bytes.
Result<void> archive(const fs::path& output, const std::vector<fs::path>& members) {
    std::vector<std::string> arguments{"rcsD", output.string()};
    for (const auto& member : members)
        arguments.push_back(member.string());
    KB_TRY(
        process::run_ok({"ar", arguments, {}, process::clean_environment()}, ErrorKind::toolchain));
    return {};
}

Result<void>
make_c_supplement(const fs::path& folder, const fs::path& scratch, const BaselineRequest& request) {
    const auto glibc =
        model::Version::parse(request.policy.newest("GLIBC")).value_or(model::Version());
    const auto object = scratch / "supplement.o";
    KB_TRY(compile(request, kCSource, {fmt::format("-DKBUILD_GLIBC={}", glibc.minor())}, object));
    return archive(folder / kCSupplement, {object});
}

std::vector<std::string> handmade_definitions(const Names& baseline) {
    std::vector<std::string> definitions;
    if (!baseline.contains("_ZNKSt13random_device13_M_getentropyEv"))
        definitions.emplace_back("-DKBUILD_RANDOM_DEVICE_ENTROPY");
    if (!baseline.contains("_ZSt21ios_base_library_initv"))
        definitions.emplace_back("-DKBUILD_IOS_INIT");
    return definitions;
}

Result<void> make_cxx_supplement(const fs::path& folder,
                                 const fs::path& scratch,
                                 const HostLibraries& libraries,
                                 const BaselineRequest& request,
                                 const SupplementInputs& inputs) {
    KB_TRY_ASSIGN(host, elf::read_archive(libraries.libstdcxx_archive));
    KB_TRY_ASSIGN(members, supplement_members(std::move(host), inputs));
    std::vector<fs::path> files;
    for (const auto& member : members) {
        files.push_back(scratch / member.name);
        KB_TRY(support::write_file_atomically(files.back(), member.bytes));
    }
    files.push_back(scratch / "kbuild-by-hand.o");
    KB_TRY(compile(request, kCxxSource, handmade_definitions(inputs.baseline), files.back()));
    return archive(folder / kCxxSupplement, files);
}

std::string newer_names_text(const std::map<std::string, NewerName>& names) {
    std::string text;
    for (const auto& [name, newer] : names)
        text += fmt::format("{} {} {}\n", name, newer.version, newer.library);
    return text;
}

SupplementInputs supplement_inputs(const LibrarySymbols& offered,
                                   const std::map<std::string, NewerName>& newer) {
    SupplementInputs inputs;
    for (const auto& symbol : offered.at(kLibstdcxx))
        inputs.baseline.insert(symbol.name);
    for (const auto& [name, origin] : newer)
        if (origin.library == kLibstdcxx)
            inputs.newer.insert(name);
    return inputs;
}

} // namespace

std::vector<std::string> linked_first() {
    return {kCxxSupplement, kCSupplement, kLibstdcxx};
}

std::string supplement_sources() {
    return template_text(kCSource) + template_text(kCxxSource);
}

Result<void> make_baseline(const fs::path& folder,
                           const HostLibraries& libraries,
                           const BaselineRequest& request) {
    KB_TRY_ASSIGN(host, read_symbols(libraries));
    const auto offered = offered_names(host, request.policy);
    const auto newer = names_beyond(host, request.policy);
    KB_TRY_ASSIGN(scratch, support::TempDir::create_temporary("kbuild-baseline-"));
    KB_TRY(make_cxx_supplement(
        folder, scratch.path(), libraries, request, supplement_inputs(offered, newer)));
    KB_TRY(make_c_supplement(folder, scratch.path(), request));
    for (const auto& [soname, symbols] : offered)
        KB_TRY(toolchain::make_stub_library(folder / soname, soname, symbols));
    for (const auto& [name, text] : linker_scripts())
        KB_TRY(support::write_file_atomically(folder / name, text + "\n"));
    return support::write_file_atomically(folder / kNewerNames, newer_names_text(newer));
}

} // namespace kbuild::portable
