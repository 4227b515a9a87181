#pragma once

#include "project.hpp"

#include "kbuild/matrix/select.hpp"
#include "kbuild/toolchain/host.hpp"

#include <vector>

namespace kbuild::cli {

/// One check for each variant that the project wants: whether it can be built here, with which
/// SDKs, and why not. A failure is a promised one that cannot be built, or that none can.
std::vector<toolchain::Check> check_variants(const matrix::BuildSet& set);

/// Memory for each of the compiles that run at a time.
toolchain::Check check_memory();

/// Whether a token for the Hub is at hand and where it comes from; it is never shown.
toolchain::Check check_token();

} // namespace kbuild::cli
