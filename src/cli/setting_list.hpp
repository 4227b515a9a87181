#pragma once

#include "kbuild/config/origins.hpp"
#include "kbuild/diag/sink.hpp"

#include <string>
#include <vector>

namespace kbuild::cli {

/// `check --show`: one line per setting, with its value and origin.
std::string settings_table(const std::vector<config::EffectiveSetting>& settings);

/// The same as one JSON document.
std::string settings_json(const std::vector<config::EffectiveSetting>& settings);

/// `check --format json`: all findings as one JSON document.
std::string findings_json(const diag::Collector& findings);

} // namespace kbuild::cli
