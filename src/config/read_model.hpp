#pragma once

#include "value.hpp"

#include "kbuild/config/build_config.hpp"
#include "kbuild/diag/sink.hpp"

namespace kbuild::config {

/// The model of a text of `edition`, 1 to 5, as far as it can be made out; everything that is wrong
/// in that edition goes to `sink`.
BuildConfig read_model(const Value& root, int edition, diag::Sink& sink);

} // namespace kbuild::config
