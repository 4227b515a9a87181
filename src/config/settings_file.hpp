#pragma once

#include "value.hpp"

#include "kbuild/diag/sink.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>

namespace kbuild::config {

/// The kbuild.toml of the project at `root`, checked; an empty table without a file, none if there
/// are mistakes, which are reported.
support::Result<std::optional<Value>> read_settings_file(const std::filesystem::path& root,
                                                         diag::Sink& sink);

} // namespace kbuild::config
