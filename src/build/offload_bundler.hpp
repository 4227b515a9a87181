#pragma once

#include "kbuild/generate/tree.hpp"
#include "kbuild/support/result.hpp"

#include <optional>
#include <string_view>

namespace kbuild::build {

/// The step that joins device code in what clang prints for `-###`; none if there is no such step.
std::optional<generate::Bundler> bundler_in(std::string_view printed);

/// How a ROCm's clang joins device code, asked of it: the name of the host differs between
/// versions.
support::Result<std::optional<generate::Bundler>> find_bundler(const generate::HipToolchain& hip);

} // namespace kbuild::build
