#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::toolchain {

/// The programs of this machine that a build uses.
struct HostTools {
    std::filesystem::path cmake; ///< >= 3.25
    std::filesystem::path ninja;
    std::filesystem::path cxx; ///< host compiler for code without HIP headers
    std::filesystem::path c;   ///< its C driver
    std::optional<std::filesystem::path> ccache;
};

/// `host_cxx`: a path or name from `[build] host-cxx`; empty: clang++-19 if there, else g++.
/// A missing tool is an Error of kind `toolchain` with the command that installs it. Starts no
/// program.
support::Result<HostTools> find_host_tools(const std::string& host_cxx);

/// One line of `kbuild doctor`.
struct Check {
    enum class State { ok, warning, failure };
    State state = State::ok;
    std::string name;  ///< `cmake`
    std::string found; ///< `3.25.1 at /usr/bin/cmake`
    std::string fix;   ///< the command that mends it; empty if ok
};

/// Compilers, CMake, Ninja, ccache, git, python3 with pip and headers, apt, dpkg-deb, patchelf,
/// disk space.
std::vector<Check> check_host();

} // namespace kbuild::toolchain
