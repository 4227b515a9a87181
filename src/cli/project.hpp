#pragma once

#include "kbuild/cli/command.hpp"
#include "kbuild/config/build_config.hpp"
#include "kbuild/config/settings.hpp"
#include "kbuild/model/sdk_sources.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>

namespace kbuild::cli {

/// A project as commands need it: where it is, and what its two files say.
struct Project {
    std::filesystem::path root; ///< absolute
    config::BuildConfig config;
    config::Settings settings;
};

/// The folder of the project that `dir` (empty: the current folder) is in; absolute.
support::Result<std::filesystem::path> project_root(const Context& context, const std::string& dir);

/// What the user's config.toml says of where SDKs are fetched from. Mistakes are shown and are an
/// Error of kind `config`.
support::Result<model::SdkSources> user_sources(const Context& context);

/// kbuild.toml of the project that the current folder is in (the defaults if it is in none), its
/// sources with the user's before them.
support::Result<config::Settings> settings_here(const Context& context);

/// Finds the project of `dir` (empty: the current folder and its parents), reads build.toml and
/// kbuild.toml and checks the listed files. Findings that kbuild.toml does not accept are shown at
/// once; if there are errors among them the result is an Error of kind `config` that counts them.
support::Result<Project> load_project(const Context& context, const std::string& dir);

} // namespace kbuild::cli
