#include "kbuild/config/toolchain_lock.hpp"

#include "decode_parts.hpp"
#include "toml_document.hpp"

#include "kbuild/diag/diagnostic.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kbuild::config {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

constexpr std::int64_t kFormat = 1;

/// A basic string of TOML.
std::string toml_string(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            result += c;
    }
    return result + "\"";
}

std::string string_at(const Value& table, std::string_view key) {
    return text_of(&table, key).value_or("");
}

const std::vector<Value>& items_at(const Value& table, std::string_view key) {
    static const std::vector<Value> none;
    const Value* const list = table.get(key);
    return list != nullptr ? list->items : none;
}

LockedSdk sdk_of(const Value& table) {
    LockedSdk sdk{string_at(table, "name"),
                  string_at(table, "version"),
                  string_at(table, "provider"),
                  string_at(table, "origin"),
                  string_at(table, "source"),
                  string_at(table, "fingerprint"),
                  {},
                  {}};
    for (const auto& name : items_at(table, "extra"))
        sdk.extra.push_back(name.text);
    for (const auto& file : items_at(table, "file"))
        sdk.files.push_back(
            {string_at(file, "name"), string_at(file, "version"), string_at(file, "sha256")});
    return sdk;
}

void append_sdk(std::string& text, const LockedSdk& sdk) {
    text += "\n[[sdk]]\n";
    for (const auto& [key, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {"name", sdk.name},
             {"version", sdk.version},
             {"provider", sdk.provider},
             {"origin", sdk.origin},
             {"source", sdk.source},
             {"fingerprint", sdk.fingerprint}})
        if (!value.empty())
            text += fmt::format("{} = {}\n", key, toml_string(value));
    if (!sdk.extra.empty()) {
        std::vector<std::string> names;
        for (const auto& name : sdk.extra)
            names.push_back(toml_string(name));
        text += fmt::format("extra = [{}]\n", support::join(names, ", "));
    }
    if (sdk.files.empty())
        return;
    text += "file = [\n";
    for (const auto& file : sdk.files)
        text += fmt::format("  {{ name = {}, version = {}, sha256 = {} }},\n",
                            toml_string(file.name),
                            toml_string(file.version),
                            toml_string(file.sha256));
    text += "]\n";
}

/// What differs between the files of two states of one SDK.
void compare_files(const LockedSdk& locked, const LockedSdk& now, std::vector<std::string>& lines) {
    std::map<std::string, const LockedFile*> there;
    for (const auto& file : now.files)
        there[file.name] = &file;
    for (const auto& file : locked.files) {
        const auto found = there.find(file.name);
        if (found == there.end()) {
            lines.push_back(
                fmt::format("{}: made without `{}` {}", locked.name, file.name, file.version));
            continue;
        }
        const auto& other = *found->second;
        // The same bytes are the same file, however its version is written.
        if (other.sha256 != file.sha256 && other.version != file.version)
            lines.push_back(fmt::format("{}: `{}` is {}, locked is {}",
                                        locked.name,
                                        file.name,
                                        other.version,
                                        file.version));
        else if (other.sha256 != file.sha256)
            lines.push_back(fmt::format("{}: `{}` {} has other bytes: SHA-256 {}, locked is {}",
                                        locked.name,
                                        file.name,
                                        file.version,
                                        other.sha256,
                                        file.sha256));
        there.erase(found);
    }
    for (const auto& [name, file] : there)
        lines.push_back(
            fmt::format("{}: `{}` {} is not in the lock", locked.name, name, file->version));
}

void compare_sdks(const LockedSdk& locked, const LockedSdk& now, std::vector<std::string>& lines) {
    if (!locked.files.empty() && !now.files.empty()) {
        compare_files(locked, now, lines);
        return;
    }
    if (locked.provider != now.provider)
        lines.push_back(fmt::format(
            "{}: from `{}`, locked is `{}`", locked.name, now.provider, locked.provider));
    if (locked.version != now.version)
        lines.push_back(
            fmt::format("{}: version {}, locked is {}", locked.name, now.version, locked.version));
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

ToolchainLock lock_of(const Value& table) {
    ToolchainLock lock;
    for (const auto& variant : items_at(table, "variants"))
        lock.variants.push_back(variant.text);
    for (const auto& sdk : items_at(table, "sdk"))
        lock.sdks.push_back(sdk_of(sdk));
    return lock;
}

} // namespace

const LockedSdk* ToolchainLock::find(const std::string& name) const {
    const auto found = std::find_if(
        sdks.begin(), sdks.end(), [&](const LockedSdk& sdk) { return sdk.name == name; });
    return found != sdks.end() ? &*found : nullptr;
}

std::string write_toolchain_lock(const ToolchainLock& lock) {
    std::string text = "# Written by `kbuild toolchain lock`: the SDKs that this project is built "
                       "with, to the byte.\n"
                       "# `kbuild build --locked` refuses others.\n";
    text += fmt::format("format = {}\nvariants = [\n", kFormat);
    for (const auto& variant : lock.variants)
        text += fmt::format("  {},\n", toml_string(variant));
    text += "]\n";
    for (const auto& sdk : lock.sdks)
        append_sdk(text, sdk);
    return text;
}

Result<std::optional<ToolchainLock>> load_toolchain_lock(const fs::path& root) {
    const auto path = root / kToolchainLockName;
    if (!support::path_exists(path))
        return std::optional<ToolchainLock>();
    KB_TRY_ASSIGN(text, support::read_file(path, kLargestFile));
    diag::Collector findings;
    const auto table =
        parse_toml(make_source(support::display_path(path), std::move(text)), findings);
    const auto refuse = [&](const std::string& why) {
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("`{}` cannot be used: {}", support::display_path(path), why),
            "kbuild toolchain lock");
    };
    if (!table)
        return refuse(findings.sorted().front().message);
    const Value* const format = table->get("format");
    if (format == nullptr || format->integer != kFormat)
        return refuse("it is of another format");
    return std::optional(lock_of(*table));
}

std::vector<std::string>
differences(const ToolchainLock& locked, const ToolchainLock& now, bool partial) {
    std::vector<std::string> lines;
    for (const auto& sdk : locked.sdks) {
        if (const auto* const other = now.find(sdk.name))
            compare_sdks(sdk, *other, lines);
        else if (!partial)
            lines.push_back(fmt::format("{}: locked, but not among the SDKs used here", sdk.name));
    }
    for (const auto& sdk : now.sdks)
        if (locked.find(sdk.name) == nullptr)
            lines.push_back(fmt::format("{}: not in the lock", sdk.name));
    for (const auto& variant : locked.variants)
        if (!partial && !contains(now.variants, variant))
            lines.push_back(fmt::format("{}: locked, but not built here", variant));
    for (const auto& variant : now.variants)
        if (!contains(locked.variants, variant))
            lines.push_back(fmt::format("{}: not in the lock", variant));
    return lines;
}

} // namespace kbuild::config
