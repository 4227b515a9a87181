#pragma once

#include "value.hpp"

#include "kbuild/model/sdk_sources.hpp"

namespace kbuild::config {

/// What a `[toolchain]` table says of where SDKs are fetched from; null: nothing.
model::SdkSources sources_of(const Value* toolchain);

} // namespace kbuild::config
