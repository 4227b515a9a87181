#pragma once

#include "candidates.hpp"

#include "kbuild/matrix/select.hpp"

#include <string>
#include <vector>

namespace kbuild::matrix {

/// What a selection does not show by itself: names and versions on the command line that fit
/// nothing, and listed backends that kbuild does not build.
std::vector<std::string> selection_notes(const config::BuildConfig& config,
                                         const config::Settings& settings,
                                         const Filters& filters,
                                         const std::vector<Candidate>& all);

} // namespace kbuild::matrix
