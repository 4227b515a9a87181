#pragma once

#include "value.hpp"

#include "kbuild/diag/sink.hpp"

namespace kbuild::config {

/// What kbuild reads and upstream's released reader does not (K0125).
void check_portability(const Value& root, diag::Sink& sink);

} // namespace kbuild::config
