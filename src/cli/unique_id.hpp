#pragma once

#include "kbuild/support/result.hpp"

#include <string>

namespace kbuild::cli {

/// `--unique-id`: an Error of kind `usage` unless it can end the name of a Python module.
support::Result<void> check_unique_id(const std::string& id);

} // namespace kbuild::cli
