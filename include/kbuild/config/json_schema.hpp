#pragma once

#include <string>

namespace kbuild::config {

/// JSON Schema of build.toml, edition 5, made from the same rules that read it. Draft 4, the newest
/// that taplo and the editors built on it (Even Better TOML) take.
std::string build_json_schema();

} // namespace kbuild::config
