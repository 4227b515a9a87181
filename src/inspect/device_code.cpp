#include "kbuild/inspect/device_code.hpp"

#include "kbuild/support/file.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

namespace kbuild::inspect {
namespace {

namespace fs = std::filesystem;
using support::Result;

/// By arch, those of one arch as they came. (Under clang, std::stable_sort of libstdc++ 12 uses
/// what that deprecates.)
void sort_objects(std::vector<CodeObject>& objects) {
    std::multimap<model::GfxArch, CodeObject> sorted;
    for (auto& object : objects)
        sorted.emplace(object.arch, std::move(object));
    objects.clear();
    for (auto& [arch, object] : sorted)
        objects.push_back(std::move(object));
}

bool is_host(std::string_view target) {
    return target.starts_with("host-");
}

Result<void> add_entry(const BundleEntry& entry, const std::string& name, DeviceCode& code) {
    const auto arch = arch_of_target(entry.target);
    if (!arch) {
        code.other_targets.push_back(entry.target);
        return {};
    }
    KB_TRY_ASSIGN(object, read_code_object(entry.bytes, fmt::format("{}:{}", name, entry.target)));
    if (object.arch != *arch)
        return support::fail(support::ErrorKind::content,
                             fmt::format("the entry `{}` of `{}` holds code for {}",
                                         entry.target,
                                         name,
                                         object.arch.to_string()));
    code.objects.push_back(std::move(object));
    return {};
}

Result<DeviceCode> read_elf_device_code(const fs::path& path) {
    KB_TRY_ASSIGN(file, elf::read_elf(path));
    const auto name = path.filename().string();
    if (file.machine == EM_AMDGPU) {
        KB_TRY_ASSIGN(bytes, support::read_file(path));
        KB_TRY_ASSIGN(object, read_code_object(bytes, name));
        DeviceCode code;
        code.objects.push_back(std::move(object));
        return code;
    }
    const auto* const section = file.section(".hip_fatbin");
    if (section == nullptr || !section->in_file)
        return DeviceCode{};
    KB_TRY_ASSIGN(fatbin, elf::read_section(path, *section));
    return read_fatbin(fatbin, name);
}

Result<DeviceCode> read_bundle_file(const fs::path& path) {
    KB_TRY_ASSIGN(bytes, support::read_file(path));
    return read_fatbin(bytes, path.filename().string());
}

bool starts_with_bundle(const fs::path& path) {
    constexpr std::string_view kPlainMagic = "__CLANG_OFFLOAD_BUNDLE__";
    if (!support::is_file(path)) // opening a FIFO would wait for its other end
        return false;
    std::string start(kPlainMagic.size(), '\0');
    std::ifstream(path, std::ios::binary)
        .read(start.data(), static_cast<std::streamsize>(start.size()));
    return start == kPlainMagic || start.starts_with("CCOB");
}

} // namespace

std::vector<model::GfxArch> DeviceCode::archs() const {
    std::set<model::GfxArch> archs;
    for (const auto& object : objects)
        archs.insert(object.arch);
    return {archs.begin(), archs.end()};
}

std::size_t DeviceCode::kernel_count() const {
    std::set<std::string_view> names;
    for (const auto& object : objects)
        for (const auto& kernel : object.kernels)
            names.insert(kernel.name);
    return names.size();
}

Result<DeviceCode>
read_fatbin(std::string_view fatbin, const std::string& name, const Limits& limits) {
    auto bundles = read_bundles(fatbin, limits);
    if (!bundles)
        return support::pass_on(std::move(bundles),
                                fmt::format("reading the device code of `{}`", name));
    DeviceCode code;
    code.bundles = bundles->size();
    for (const auto& bundle : *bundles) {
        code.compressed_bundles += bundle.compressed ? 1 : 0;
        for (const auto& entry : bundle.entries)
            if (!is_host(entry.target))
                KB_TRY(add_entry(entry, name, code));
    }
    sort_objects(code.objects);
    std::sort(code.other_targets.begin(), code.other_targets.end());
    return code;
}

Result<DeviceCode> read_device_code(const fs::path& path) {
    return starts_with_bundle(path) ? read_bundle_file(path) : read_elf_device_code(path);
}

} // namespace kbuild::inspect
