#pragma once

#include "value.hpp"

#include "kbuild/config/build_config.hpp"
#include "kbuild/config/settings.hpp"

namespace kbuild::config {

/// The model of a file that validate() has looked at. What is wrong or missing there is left at its
/// default, so that later checks can still speak about the rest.
BuildConfig decode_build(const Value& root, int edition);
Settings decode_settings(const Value& root);

} // namespace kbuild::config
