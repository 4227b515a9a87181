#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>

namespace kbuild::config {

/// `[test] programs` of the kbuild.toml of the project at `root`: C++ programs that `kbuild test`
/// runs with each built variant. Empty without a file; mistakes are reported and give none.
support::Result<Strings> load_test_programs(const std::filesystem::path& root, diag::Sink& sink);

} // namespace kbuild::config
