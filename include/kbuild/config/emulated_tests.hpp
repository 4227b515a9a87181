#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>

namespace kbuild::config {

/// `[test] emulate` of the kbuild.toml of the project at `root`: C++ programs that `kbuild build
/// --emulate` runs. Empty without a file; mistakes are reported and give none.
support::Result<Strings> load_emulated_tests(const std::filesystem::path& root, diag::Sink& sink);

} // namespace kbuild::config
