#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kbuild::process {

/// A program to start: arguments are passed as they are, no shell is involved.
struct Command {
    std::filesystem::path program; ///< a path, or a name that is looked up on PATH
    std::vector<std::string> arguments;
    std::filesystem::path folder;                   ///< where it runs; empty: the current folder
    std::map<std::string, std::string> environment; ///< all of it; see clean_environment()
    /// An open lock that the program and all that it starts keep, so that they are known for what
    /// they are even if kbuild is killed; -1: none. After a stop all of them are ended.
    int inherited_lock = -1;

    /// The command line as one can paste it into a shell (without the environment).
    std::string display() const;
};

/// What children of kbuild get: PATH, HOME, TMPDIR, USER, proxies and the locale-free
/// `LC_ALL=C.UTF-8`. Variables that would change a build (CPATH, LD_LIBRARY_PATH, HIP_PATH, …) are
/// not among them, except those that kept_variables() names.
std::map<std::string, std::string> clean_environment();

/// Names that the user wants passed on all the same, comma separated; `--keep-env` sets it.
inline constexpr const char* kKeepVariable = "KBUILD_KEEP_ENV";

/// The variables that kKeepVariable names and that are set; sorted.
std::vector<std::string> kept_variables();

/// Variables set around kbuild that would change a build and are kept out of it; sorted.
std::vector<std::string> ignored_variables();

} // namespace kbuild::process
