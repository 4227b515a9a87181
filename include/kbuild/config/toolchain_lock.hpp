#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// kbuild.lock: which SDKs, to the byte, a project was built with.
namespace kbuild::config {

constexpr std::string_view kToolchainLockName = "kbuild.lock";

/// A file that was fetched for an SDK.
struct LockedFile {
    std::string name; ///< package or file name
    std::string version;
    std::string sha256; ///< of the file as fetched, 64 hex digits
};

struct LockedSdk {
    std::string name;        ///< `rocm@6.4`
    std::string version;     ///< `6.4.43484`
    std::string provider;    ///< `apt`, `pip`, `opt`, …
    std::string origin;      ///< `release`, `rebuild`, `mix`
    std::string source;      ///< `Debian forky`; empty for an SDK that was installed by others
    std::string fingerprint; ///< by content
    std::vector<LockedFile> files; ///< sorted by name; empty for an SDK that was not fetched
    /// Libraries of ROCm whose headers it has besides the usual ones (`rocwmma`); sorted.
    std::vector<std::string> extra = {};
};

struct ToolchainLock {
    std::vector<std::string> variants;                    ///< sorted
    std::vector<LockedSdk> sdks;                          ///< sorted by name
    const LockedSdk* find(const std::string& name) const; ///< null if there is none
};

/// TOML, the same bytes for the same content.
std::string write_toolchain_lock(const ToolchainLock& lock);

/// Reads `<root>/kbuild.lock`; none if there is no such file. An Error of kind `toolchain` if it
/// cannot be read as one (with what is wrong).
support::Result<std::optional<ToolchainLock>>
load_toolchain_lock(const std::filesystem::path& root);

/// What is different now from what was locked, one line an item, each named; empty if nothing is.
/// Of an SDK with recorded files only these decide, so that the same bytes made ready elsewhere are
/// the same SDK; of others provider and version decide. `partial`: only some of the variants were
/// asked for, so that what is locked and not used is no difference.
std::vector<std::string>
differences(const ToolchainLock& locked, const ToolchainLock& now, bool partial);

} // namespace kbuild::config
