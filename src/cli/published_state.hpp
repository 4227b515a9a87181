#pragma once

#include "project.hpp"

#include "kbuild/matrix/select.hpp"
#include "kbuild/support/result.hpp"

#include <string>
#include <vector>

namespace kbuild::cli {

/// A variant that users of the published torch versions can load, and what build/ has of it.
struct PublishedState {
    enum class State {
        built,   ///< of the project's sources as they are
        stale,   ///< of other sources, or changed since
        missing, ///< not there; `detail` says why, or what makes it
    };
    std::string variant;
    State state = State::missing;
    std::string detail;
};

/// Compares `published` (a selection of the published matrix without filters) with the variants
/// in the project's build/; by name.
support::Result<std::vector<PublishedState>> published_states(const Project& project,
                                                              const matrix::BuildSet& published);

std::string published_text(const std::vector<PublishedState>& states);
std::string published_json(const std::vector<PublishedState>& states);

} // namespace kbuild::cli
