#pragma once

#include "kbuild/config/settings.hpp"
#include "kbuild/diag/sink.hpp"

#include <filesystem>
#include <vector>

namespace kbuild::check {

/// `findings` without those that `[check] allow` of kbuild.toml accepts: warnings, and flags that
/// read files or load code (K0412), which are errors only as long as nobody has accepted them.
/// With `all_rules_ran`, an entry that accepts nothing is a finding itself (K0430).
diag::Collector without_accepted(std::vector<diag::Diagnostic> findings,
                                 const std::vector<config::Allowance>& allow,
                                 const std::filesystem::path& root,
                                 bool all_rules_ran);

} // namespace kbuild::check
