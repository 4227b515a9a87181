#pragma once

#include "value.hpp"

#include "kbuild/diag/sink.hpp"

#include <string>
#include <vector>

namespace kbuild::config {

constexpr int kCurrentEdition = 5;

/// Which edition a build.toml is written for, and how that can be told.
struct Edition {
    int number = kCurrentEdition;
    bool written = false; ///< as a number, in `general.edition`
    std::vector<std::string> signs =
        {}; ///< "there is no `general.license`", for an edition that is not written down
};

/// The edition is decided before anything else is checked (upstream.md 2.1, 2.4): by
/// `general.edition`, which is 5, or by what only older files have or lack. Never fails: an
/// unreadable edition counts as the current one.
Edition detect_edition(const Value& root);

/// Reports an edition that cannot be built (K0108), or an older one that can (K0109, a warning).
/// Returns whether the file can be read: false for an edition that this kbuild does not know.
bool report_edition(const Value& root, const Edition& edition, diag::Sink& sink);

} // namespace kbuild::config
