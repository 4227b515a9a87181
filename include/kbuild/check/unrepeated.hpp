#pragma once

#include "kbuild/diag/sink.hpp"

namespace kbuild::check {

/// Adds to `found`, which reading reported, what the rules say about other places: a value that
/// is an error already needs no second opinion.
void add_unrepeated(diag::Collector opinions, diag::Collector& found);

} // namespace kbuild::check
