#pragma once

#include "kbuild/config/build_config.hpp"

#include <string>

namespace kbuild::config {

/// The model as text, one line a value, in a fixed order: `general.name = "my-kernel"`. Says
/// nothing of places and of the edition, so that two files mean the same if and only if their texts
/// are equal.
std::string model_text(const BuildConfig& config);

} // namespace kbuild::config
