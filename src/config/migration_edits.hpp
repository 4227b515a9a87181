#pragma once

#include "text_edits.hpp"
#include "value.hpp"

#include "kbuild/config/build_config.hpp"
#include "kbuild/config/migrate.hpp"
#include "kbuild/diag/sink.hpp"

#include <string>
#include <vector>

namespace kbuild::config {

struct MigrationPlan {
    Edits edits;
    std::vector<std::string> changes;
};

/// What has to change in a text of edition 1 to 4 without mistakes, whose model is `config`. What
/// stands in the way goes to `sink` (K0123, K0124).
MigrationPlan plan_migration(const Value& root,
                             const BuildConfig& config,
                             const MigrationChoices& choices,
                             diag::Sink& sink);

} // namespace kbuild::config
