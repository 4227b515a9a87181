#pragma once

#include "schema.hpp"
#include "value.hpp"

#include "kbuild/diag/diagnostic.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kbuild::config {

/// Whether the TOML type of `value` is one that `type` is written in.
bool has_right_kind(const Value& value, Type type, int edition);

/// K0102 for a value of the wrong TOML type; `subject` is what has it: "`general.version`", "an
/// entry of …".
diag::Diagnostic wrong_kind(const Value& value, Type type, bool list, const std::string& subject);

/// What is wrong with the content of a value that has the right TOML type; none if nothing.
std::optional<diag::Diagnostic>
check_scalar(const Value& value, Type type, const std::string& path);

/// Whether a path can pass through a build system unharmed: not empty, no control characters.
bool is_usable_path(std::string_view path);

} // namespace kbuild::config
