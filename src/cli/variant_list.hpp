#pragma once

#include "kbuild/matrix/select.hpp"

#include <string>

namespace kbuild::cli {

/// Names, one a line. `with_missing`: also those for which only an SDK is missing.
std::string variant_names(const matrix::BuildSet& set, bool with_missing);

/// Everything that the selection says, as one JSON object.
std::string variants_json(const matrix::BuildSet& set);

/// A job matrix for a GitHub workflow, on one line:
/// `{"include":[{"variant":…,"backend":…,"torch":…,"rocm":…}]}`.
std::string variants_github(const matrix::BuildSet& set, bool with_missing);

/// What is left out and why, as a table for a person; empty if nothing is. Variants that the
/// command line did not ask for are not mentioned.
std::string exclusions_text(const matrix::BuildSet& set);

} // namespace kbuild::cli
