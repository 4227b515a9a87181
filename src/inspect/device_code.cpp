#include "kbuild/inspect/device_code.hpp"

#include "raw_code.hpp"

#include "kbuild/inspect/symbol_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace kbuild::inspect {
namespace {

namespace fs = std::filesystem;
using support::Result;

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

void add_if_it_has(const std::string& kernel,
                   std::string_view bytes,
                   const CodeObject& object,
                   std::vector<FoundCode>& found) {
    for (const auto& other : object.kernels)
        if (other.name == kernel || readable_symbol(other.name) == kernel) {
            found.push_back({object.arch, other.name, std::string(bytes)});
            return;
        }
}

} // namespace

// Under clang, std::stable_sort of libstdc++ 12 uses what that deprecates.
void sort_by_arch(std::vector<CodeObject>& objects) {
    std::multimap<model::GfxArch, CodeObject> sorted;
    for (auto& object : objects)
        sorted.emplace(object.arch, std::move(object));
    objects.clear();
    for (auto& [arch, object] : sorted)
        objects.push_back(std::move(object));
}

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
    sort_by_arch(code.objects);
    std::sort(code.other_targets.begin(), code.other_targets.end());
    return code;
}

Result<DeviceCode> read_device_code(const fs::path& path) {
    KB_TRY_ASSIGN(raw, raw_code(path));
    const auto name = path.filename().string();
    if (raw.kind == RawCode::Kind::bundles)
        return read_fatbin(raw.bytes, name);
    DeviceCode code;
    if (raw.kind == RawCode::Kind::object) {
        KB_TRY_ASSIGN(object, read_code_object(raw.bytes, name));
        code.objects.push_back(std::move(object));
    }
    return code;
}

Result<std::vector<FoundCode>> find_kernel(const fs::path& path, const std::string& kernel) {
    KB_TRY_ASSIGN(raw, raw_code(path));
    const auto name = path.filename().string();
    std::vector<FoundCode> found;
    if (raw.kind == RawCode::Kind::object) {
        KB_TRY_ASSIGN(object, read_code_object(raw.bytes, name));
        add_if_it_has(kernel, raw.bytes, object, found);
    }
    if (raw.kind != RawCode::Kind::bundles)
        return found;
    KB_TRY_ASSIGN(bundles, read_bundles(raw.bytes));
    for (const auto& bundle : bundles)
        for (const auto& entry : bundle.entries) {
            if (is_host(entry.target) || !arch_of_target(entry.target))
                continue;
            KB_TRY_ASSIGN(object, read_code_object(entry.bytes, name));
            add_if_it_has(kernel, entry.bytes, object, found);
        }
    return found;
}

} // namespace kbuild::inspect
