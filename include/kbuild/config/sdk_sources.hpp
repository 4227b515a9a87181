#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/model/sdk_sources.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>

namespace kbuild::config {

/// `[toolchain]` of the user's `<config_home>/config.toml`: index-url and the tables `rocm` and
/// `torch` as in kbuild.toml. Mistakes are reported to `sink`; with any there is no value. No file
/// is as good as an empty one.
support::Result<std::optional<model::SdkSources>>
load_user_sources(const std::filesystem::path& config_home, diag::Sink& sink);

/// The user's sources with those of a project, which count before them.
model::SdkSources joined(model::SdkSources user, const model::SdkSources& project);

} // namespace kbuild::config
