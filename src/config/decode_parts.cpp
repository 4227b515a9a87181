#include "decode_parts.hpp"

#include "rocm_archs.hpp"

#include <set>

namespace kbuild::config {
namespace {

const Value* value_of(const Value* table, std::string_view key, Value::Kind kind) {
    const Value* const value = table == nullptr ? nullptr : table->get(key);
    return value != nullptr && value->kind == kind ? value : nullptr;
}

} // namespace

std::optional<std::string> text_of(const Value* table, std::string_view key) {
    const Value* const value = value_of(table, key, Value::Kind::string);
    return value == nullptr ? std::nullopt : std::optional(value->text);
}

std::optional<std::uint64_t> number_of(const Value* table, std::string_view key) {
    const Value* const value = value_of(table, key, Value::Kind::integer);
    if (value == nullptr || value->integer < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(value->integer);
}

std::optional<model::Version> version_of(const Value* table, std::string_view key) {
    const auto text = text_of(table, key);
    return text ? model::Version::parse(*text) : std::nullopt;
}

std::optional<Strings> optional_strings(const Value* table, std::string_view key) {
    const Value* const list = value_of(table, key, Value::Kind::array);
    if (list == nullptr)
        return std::nullopt;
    Strings strings;
    for (const auto& item : list->items)
        if (item.kind == Value::Kind::string)
            strings.push_back({item.text, item.span});
    return strings;
}

Strings strings_of(const Value* table, std::string_view key) {
    return optional_strings(table, key).value_or(Strings());
}

std::optional<std::vector<Spanned<model::Version>>> versions_of(const Value* table,
                                                                std::string_view key) {
    const auto strings = optional_strings(table, key);
    if (!strings)
        return std::nullopt;
    std::vector<Spanned<model::Version>> versions;
    for (const auto& text : *strings)
        if (auto version = model::Version::parse(text.value))
            versions.push_back({std::move(*version), text.span});
    return versions;
}

std::vector<Spanned<model::GfxArch>> archs_of(const Value& section) {
    std::vector<Spanned<model::GfxArch>> result;
    std::set<std::string> seen;
    for (const auto& name : strings_of(&section, "rocm-archs")) {
        const auto arch = model::GfxArch::parse(name.value);
        if (!arch || is_retired_arch(arch->processor()))
            continue;
        if (seen.insert(arch->to_string()).second)
            result.push_back({*arch, name.span});
    }
    return result;
}

model::VersionRange range_of(const Value* table) {
    return {version_of(table, "minver"), version_of(table, "maxver")};
}

} // namespace kbuild::config
