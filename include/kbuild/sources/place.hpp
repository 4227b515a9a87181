#pragma once

#include "kbuild/diag/source.hpp"

#include <cstddef>

namespace kbuild::sources {

/// The span of `length` bytes at `offset` of the file's text.
diag::SourceSpan span_at(const diag::SourceFilePtr& file, std::size_t offset, std::size_t length);

} // namespace kbuild::sources
