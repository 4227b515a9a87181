#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/config/settings.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>

namespace kbuild::config {

/// Reads `<root>/build.toml`. All mistakes of its edition are reported to `sink`; none of them: a
/// value. An Error (kind `config`) only if there is no such file or it cannot be read.
support::Result<std::optional<BuildConfig>> load_build_config(const std::filesystem::path& root,
                                                              diag::Sink& sink);

/// Reads `<root>/kbuild.toml`; without one, the defaults.
support::Result<std::optional<Settings>> load_settings(const std::filesystem::path& root,
                                                       diag::Sink& sink);

/// A project that can be built.
struct Project {
    std::filesystem::path root;
    BuildConfig config;
    Settings settings;
};

/// What could be made out of a project's two files. With errors in build.toml its model may have
/// holes: what is wrong or missing there is left at its default.
struct Reading {
    std::optional<BuildConfig> config; ///< none if syntax or edition stand in the way
    std::optional<Settings> settings;  ///< none if kbuild.toml has errors
    bool has_errors = false;
};

/// As load_project(), but goes on with what could be read.
support::Result<Reading> read_project(const std::filesystem::path& root, diag::Sink& sink);

/// Everything that can be said without compiling: build.toml, the files it lists, and kbuild.toml,
/// all mistakes of all three in one run. What every command that needs a project calls first. An
/// Error (kind `config`) only if there is no build.toml or a file cannot be read.
support::Result<std::optional<Project>> load_project(const std::filesystem::path& root,
                                                     diag::Sink& sink);

/// Parses text as build.toml (for tests and fuzzing); `name` is what messages show.
std::optional<BuildConfig> parse_build_config(std::string name, std::string text, diag::Sink& sink);
std::optional<Settings> parse_settings(std::string name, std::string text, diag::Sink& sink);

/// Looks for build.toml in `start` and its parents; the folder that has one.
/// An Error of kind `config` that says where was looked and that `kbuild init` makes a project.
support::Result<std::filesystem::path> find_project(const std::filesystem::path& start);

/// What can be said about the listed files without reading them (K0901–K0905): each file of the
/// framework and of the kernel sections of listed backends exists, is a regular file inside the
/// project, and is listed once in its section; include folders exist.
void check_listed_files(const BuildConfig& config,
                        const std::filesystem::path& root,
                        diag::Sink& sink);

} // namespace kbuild::config
