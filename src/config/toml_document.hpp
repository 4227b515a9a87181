#pragma once

#include "value.hpp"

#include "kbuild/diag/sink.hpp"
#include "kbuild/diag/source.hpp"

#include <optional>
#include <string>

namespace kbuild::config {

/// Larger files are refused: nobody writes them, and a parser's memory is a multiple of its input.
constexpr std::size_t kLargestFile = 1U << 20U;

/// The text as a source file, without a byte order mark.
diag::SourceFilePtr make_source(std::string name, std::string text);

/// The table of a TOML 1.0 text. The parser stops at its first syntax error, which is reported
/// (K0001–K0004).
std::optional<Value> parse_toml(const diag::SourceFilePtr& file, diag::Sink& sink);

} // namespace kbuild::config
