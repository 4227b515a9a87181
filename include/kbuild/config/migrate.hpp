#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/support/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kbuild::config {

/// What a file does not say and cannot be guessed.
struct MigrationChoices {
    std::optional<std::string> license; ///< edition 3 and older may lack it
};

/// build.toml brought to the current edition.
struct Migration {
    int from = 0;                     ///< the edition that the text was of
    std::string text;                 ///< the same bytes if it is current already
    std::vector<std::string> changes; ///< one line each: ``added `edition = 5` ``
};

/// Rewrites the text of a build.toml for the current edition. Only what has to change is changed:
/// comments, order and formatting stay. The result means the same as the original, which is
/// checked.
///
/// Mistakes in the text, and what has no counterpart today (K0123, K0124), go to `sink`; then there
/// is no value. An Error is a bug in kbuild.
support::Result<std::optional<Migration>> migrate_build_file(const std::string& name,
                                                             const std::string& text,
                                                             const MigrationChoices& choices,
                                                             diag::Sink& sink);

} // namespace kbuild::config
