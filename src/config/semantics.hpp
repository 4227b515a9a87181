#pragma once

#include "value.hpp"

#include "kbuild/config/build_config.hpp"
#include "kbuild/diag/sink.hpp"

namespace kbuild::config {

/// What no single key shows: tables that do not go together, lists that name something twice,
/// bounds that leave nothing (K0110, K0113–K0119, K0201). `root` is the text's own view of
/// `config`.
void check_semantics(const Value& root, const BuildConfig& config, diag::Sink& sink);

} // namespace kbuild::config
