#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/config/settings.hpp"
#include "kbuild/diag/sink.hpp"

#include <filesystem>

namespace kbuild::check {

/// The project that is looked at.
struct Subject {
    std::filesystem::path root; ///< absolute
    const config::BuildConfig& config;
    const config::Settings& settings;
    /// False if build.toml has errors: then nothing is concluded from what is not there.
    bool is_complete = true;
};

/// Flags that fight torch, name absolute paths, load code or read files (K0410–K0412): what every
/// command looks at before it runs a compiler.
void check_flags(const Subject& subject, diag::Sink& sink);

/// What build.toml says that upstream does not validate and that can be told from its text alone:
/// flags, archs, bounds, keys without effect, dependencies (K0323, K0410–K0416, K0419).
void check_build_file(const Subject& subject, diag::Sink& sink);

/// The listed sources and the Python files of the package, each read once (K0301–K0322, K0417,
/// K0418, K0424, K0425).
void check_sources(const Subject& subject, diag::Sink& sink);

} // namespace kbuild::check
