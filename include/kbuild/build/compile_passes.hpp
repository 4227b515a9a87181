#pragma once

#include "kbuild/build/plan.hpp"
#include "kbuild/support/result.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace kbuild::build {

/// How the units of a plan are compiled; neither changes an object.
struct PassOptions {
    bool split = true;      ///< HIP units in passes, one for each architecture and one for the host
    bool precompile = true; ///< headers of SDKs
    std::filesystem::path store; ///< of precompiled headers
    unsigned jobs = 1;           ///< headers precompiled at a time
    std::function<void(const std::string&)> say;
    /// Called some ten times a second while headers are made, with how many are.
    std::function<void(std::size_t made, std::size_t all)> on_tick;
};

/// A unit, or a pass of it, that reads headers of SDKs as text.
struct TextualUnit {
    std::string unit; ///< the source, with the architecture of a device pass
    std::string reason;
    auto operator<=>(const TextualUnit&) const = default;
};

/// The trees of a plan as they are compiled.
struct CompilePasses {
    std::vector<generate::Tree> trees;
    std::size_t made = 0;             ///< headers that were precompiled now
    std::size_t used = 0;             ///< passes that read a precompiled header
    std::vector<TextualUnit> textual; ///< sorted
    double seconds = 0;
};

/// Splits HIP units into passes and gives each pass the precompiled header of what it includes
/// first, made where the store has none. A pass gets none where that could change its meaning; what
/// a compiler refuses to precompile is compiled without.
support::Result<CompilePasses> compile_passes(const Plan& plan, const PassOptions& options);

} // namespace kbuild::build
