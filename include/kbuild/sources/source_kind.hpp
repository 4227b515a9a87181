#pragma once

#include <string_view>

namespace kbuild::sources {

/// What a source file is, by its name.
enum class SourceKind { device, host, header, other };

SourceKind source_kind(std::string_view path);

} // namespace kbuild::sources
