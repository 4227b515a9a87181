#pragma once

#include "kbuild/support/result.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Reads values out of an answer; whatever does not fit is an Error that names the key.
namespace kbuild::hub::json {

using Value = nlohmann::json;

inline constexpr std::size_t kMaxText = std::size_t{64} << 10U;

support::Result<Value> parse(std::string_view text);

/// The member `key`; null if there is none or `object` is no object.
const Value& member(const Value& object, const char* key);

support::Result<std::string> text(const Value& object, const char* key);
/// Empty if there is none, or it is no text of sane length.
std::string text_or_empty(const Value& object, const char* key);
/// A whole number from 0 to 2^53.
support::Result<std::uint64_t> number(const Value& object, const char* key);
/// The array `key`.
support::Result<const Value*> array(const Value& object, const char* key);

tl::unexpected<support::Error> wrong(std::string_view what);

} // namespace kbuild::hub::json
