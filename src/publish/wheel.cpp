#include "kbuild/publish/wheel.hpp"

#include "zip_writer.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/model/kernel_name.hpp"
#include "kbuild/publish/content.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace kbuild::publish {
namespace {

namespace fs = std::filesystem;
using Framework = model::Variant::Framework;
using support::Result;

/// Newest symbol versions of a platform: those of auditwheel's policies.
struct Platform {
    const char* name;
    const char* glibc;
    const char* glibcxx;
    const char* cxxabi;
};

constexpr std::array kPlatforms = {Platform{"manylinux_2_17", "2.17", "3.4.19", "1.3.7"},
                                   Platform{"manylinux_2_28", "2.28", "3.4.24", "1.3.11"},
                                   Platform{"manylinux_2_31", "2.31", "3.4.28", "1.3.12"},
                                   Platform{"manylinux_2_34", "2.34", "3.4.29", "1.3.13"},
                                   Platform{"manylinux_2_35", "2.35", "3.4.30", "1.3.13"}};

/// Whether `have` (such as `GLIBC_2.14`) is no newer than `newest` if it is of that family.
bool fits(std::string_view have, std::string_view family, const char* newest) {
    if (!have.starts_with(family))
        return true;
    const auto version = model::Version::parse(have.substr(family.size()));
    return version && *version <= *model::Version::parse(newest);
}

bool has(const Platform& platform, std::string_view version) {
    return fits(version, "GLIBC_", platform.glibc) && fits(version, "GLIBCXX_", platform.glibcxx) &&
           fits(version, "CXXABI_", platform.cxxabi);
}

Result<std::vector<std::string>> needed_versions(const fs::path& folder) {
    std::set<std::string> versions;
    KB_TRY_ASSIGN(files, support::list_files(folder));
    for (const auto& file : files) {
        if (file.extension() != ".so")
            continue;
        KB_TRY_ASSIGN(elf, elf::read_elf(folder / file));
        for (const auto& symbol : elf.symbols)
            if (!symbol.defined && !symbol.version.empty())
                versions.insert(symbol.version);
    }
    return std::vector<std::string>(versions.begin(), versions.end());
}

/// `torch213rocm72`: which variant of the version this is.
std::string local_version(const model::Variant& variant) {
    if (variant.framework == Framework::noarch)
        return support::replace_all(variant.noarch_name, "-", ".");
    const auto framework = variant.framework == Framework::torch              ? "torch"
                           : variant.framework == Framework::torch_stable_abi ? "stable"
                                                                              : "tvmffi";
    const auto backend = variant.backend == model::Backend::cpu
                             ? std::string("cpu")
                             : fmt::format("{}{}",
                                           model::to_string(variant.backend),
                                           variant.backend_version.compact());
    return fmt::format("{}{}{}", framework, variant.framework_version.compact(), backend);
}

std::string requirement(const model::Variant& variant) {
    switch (variant.framework) {
    case Framework::torch:
        return fmt::format("Requires-Dist: torch=={}.*\n", variant.framework_version.dotted());
    case Framework::torch_stable_abi:
        return fmt::format("Requires-Dist: torch>={}\n", variant.framework_version.dotted());
    case Framework::noarch:
        return "Requires-Dist: torch\n";
    case Framework::tvm_ffi:
        return "";
    }
    return "";
}

std::string metadata_text(const WheelName& name,
                          const model::Variant& variant,
                          const layout::Metadata& metadata) {
    std::string text = fmt::format("Metadata-Version: 2.1\nName: {}\nVersion: {}\n"
                                   "Summary: GPU kernel `{}`, variant {}\n",
                                   metadata.name,
                                   name.version,
                                   metadata.name,
                                   variant.name());
    if (!metadata.license.empty())
        text += fmt::format("License: {}\n", metadata.license);
    if (metadata.source)
        text += fmt::format("Project-URL: Source, {}\n", *metadata.source);
    if (metadata.upstream)
        text += fmt::format("Project-URL: Upstream, {}\n", *metadata.upstream);
    text += "Requires-Python: >=3.9\n" + requirement(variant);
    text += "Description-Content-Type: text/markdown\n";
    return text + fmt::format("\n# {}\n\nGPU kernel, version {}, for `{}`. Made from a variant "
                              "that `kernels.get_kernel` "
                              "loads as well.\n",
                              metadata.name,
                              metadata.version,
                              variant.name());
}

std::string wheel_text(const WheelName& name) {
    const bool pure = name.tag == "py3-none-any";
    return fmt::format("Wheel-Version: 1.0\nGenerator: kbuild\nRoot-Is-Purelib: {}\nTag: {}\n",
                       pure ? "true" : "false",
                       name.tag);
}

/// `path,sha256=…,size`, with the hash in URL-safe base64 without padding.
std::string record_line(const ZipEntry& entry) {
    auto hash = support::to_base64(support::sha256(entry.content));
    hash = support::replace_all(support::replace_all(std::move(hash), "+", "-"), "/", "_");
    hash.erase(hash.find_last_not_of('=') + 1);
    const bool quoted = entry.path.find(',') != std::string::npos;
    return fmt::format(
        "{0}{1}{0},sha256={2},{3}\n", quoted ? "\"" : "", entry.path, hash, entry.content.size());
}

Result<layout::Metadata> read_variant_metadata(const layout::FoundVariant& variant) {
    KB_TRY_ASSIGN(text, support::read_file(variant.path / "metadata.json"));
    return layout::read_metadata(text);
}

Result<std::vector<ZipEntry>> package_entries(const layout::FoundVariant& variant,
                                              const std::string& module) {
    std::vector<ZipEntry> entries;
    KB_TRY_ASSIGN(files, support::list_files(variant.path));
    for (const auto& file : files) {
        if (file.extension() == ".pyc")
            continue;
        KB_TRY_ASSIGN(content, support::read_file(variant.path / file));
        entries.push_back({module + "/" + file.generic_string(), std::move(content)});
    }
    return entries;
}

} // namespace

std::string WheelName::dist_info() const {
    return fmt::format("{}-{}.dist-info", distribution, version);
}

std::string WheelName::file_name() const {
    return fmt::format("{}-{}-{}.whl", distribution, version, tag);
}

std::string platform_tag(const std::vector<std::string>& symbol_versions, std::string_view cpu) {
    for (const auto& platform : kPlatforms)
        if (std::all_of(symbol_versions.begin(), symbol_versions.end(), [&](const auto& version) {
                return has(platform, version);
            }))
            return fmt::format("{}_{}", platform.name, cpu);
    return fmt::format("linux_{}", cpu);
}

Result<WheelName> wheel_name(const layout::FoundVariant& variant,
                             const layout::Metadata& metadata) {
    const auto name = model::KernelName::parse(metadata.name);
    WheelName wheel;
    wheel.distribution = name ? name->module() : metadata.name;
    wheel.version = fmt::format("{}+{}", metadata.version, local_version(variant.variant));
    if (variant.variant.framework == Framework::noarch) {
        wheel.tag = "py3-none-any";
        return wheel;
    }
    KB_TRY_ASSIGN(versions, needed_versions(variant.path));
    wheel.tag = fmt::format("cp39-abi3-{}", platform_tag(versions, variant.variant.cpu));
    return wheel;
}

Result<fs::path> write_wheel(const layout::FoundVariant& variant, const fs::path& folder) {
    KB_TRY_ASSIGN(metadata, read_variant_metadata(variant));
    KB_TRY_ASSIGN(name, wheel_name(variant, metadata));
    KB_TRY_ASSIGN(entries, package_entries(variant, name.distribution));
    const auto info = name.dist_info() + "/";
    entries.push_back({info + "METADATA", metadata_text(name, variant.variant, metadata)});
    entries.push_back({info + "WHEEL", wheel_text(name)});
    std::string record;
    for (const auto& entry : entries)
        record += record_line(entry);
    entries.push_back({info + "RECORD", record + info + "RECORD,,\n"});
    KB_TRY(support::make_folder(folder));
    const auto path = folder / name.file_name();
    KB_TRY_ASSIGN(bytes, zip_bytes(entries));
    KB_TRY(support::write_file_atomically(path, bytes));
    return path;
}

} // namespace kbuild::publish
