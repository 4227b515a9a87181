#pragma once

#include "value.hpp"

#include "kbuild/config/build_config.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Values out of a table; one that is absent or wrong is as good as not there. `table` may be null.
namespace kbuild::config {

std::optional<std::string> text_of(const Value* table, std::string_view key);
std::optional<std::uint64_t> number_of(const Value* table, std::string_view key);
std::optional<model::Version> version_of(const Value* table, std::string_view key);
std::optional<Strings> optional_strings(const Value* table, std::string_view key);
Strings strings_of(const Value* table, std::string_view key);
std::optional<std::vector<Spanned<model::Version>>> versions_of(const Value* table,
                                                                std::string_view key);
/// `rocm-archs` of a kernel section, each once. Retired names are left out; semantics.cpp says so.
std::vector<Spanned<model::GfxArch>> archs_of(const Value& section);
model::VersionRange range_of(const Value* table); ///< minver, maxver

} // namespace kbuild::config
