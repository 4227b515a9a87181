#pragma once

#include "kbuild/model/sdk_sources.hpp"
#include "kbuild/model/version.hpp"
#include "kbuild/support/result.hpp"

#include <string>
#include <vector>

/// What the providers know, as data: data/toolchains.json and what users add.
namespace kbuild::toolchain {

/// How an archive cuts ROCm into packages: as Debian does, below /usr, or as AMD does, below
/// /opt/rocm-X.Y.Z.
enum class PackageLayout { debian, amd };

/// A HIP version that an archive carries.
struct RocmRecipe {
    model::Version version; ///< major.minor of HIP
    PackageLayout layout = PackageLayout::debian;
    std::string distribution; ///< `Debian`, as the archive's Release file says: its mirror is used
    std::string repository;   ///< an address instead
    std::string keyring;      ///< of `repository`; empty: those that apt trusts
    std::string label;        ///< `Debian forky`, for people
    std::vector<std::string> suites;     ///< `forky`
    std::vector<std::string> components; ///< `main`
    std::vector<model::AptPreference> preferences;
};

/// Which packages of AMD's make a ROCm SDK.
struct AmdPackages {
    std::vector<std::string> roots;   ///< all are needed
    std::vector<std::string> headers; ///< those that the archive lacks are left out
};

/// Which packages make a ROCm SDK; names may be patterns with `*`, `{N}` is the compiler's major
/// version.
struct RocmPackages {
    std::vector<std::string> roots; ///< hipcc and the HIP headers: their dependencies name the rest
    std::vector<std::string> compiler;  ///< packages of the compiler that roots depend on
    std::vector<std::string> follow;    ///< dependencies that the compiler needs to run
    std::vector<std::string> leave;     ///< … except these
    std::vector<std::string> link_only; ///< libraries whose exported names are wanted, nothing else
    std::vector<std::string>
        headers; ///< only usr/include is used; those that the suite lacks are left out
    std::vector<std::string> programs;       ///< kept of the compiler's bin folder
    std::vector<std::string> leave_programs; ///< … except these
    std::vector<std::string> runtimes;       ///< kept of the compiler's own run-time libraries
};

/// A torch that the Python index carries: the newest patch release of this version is taken.
struct TorchRecipe {
    model::Version version;
    std::string index_url; ///< of the Python index; empty: as pip is set up
};

/// Header packages of a ROCm library that is not part of every SDK.
struct ExtraLibrary {
    std::string name;                  ///< `rocwmma`, as `--extra` and `[toolchain] extra` take it
    std::vector<std::string> packages; ///< Debian's
    std::vector<std::string> headers;  ///< how their include names begin: `rocwmma/`
};

struct Catalog {
    std::vector<RocmRecipe> rocm;
    RocmPackages rocm_packages;
    AmdPackages amd_packages;
    std::vector<ExtraLibrary> extra; ///< sorted by name
    std::vector<TorchRecipe> torch;
};

/// The embedded data. An Error of kind `internal` if it is not as described above.
support::Result<Catalog> load_catalog();

/// The embedded data with what a user or project adds; recipes stay sorted by version. An Error of
/// kind `config` for a source that cannot be used.
support::Result<Catalog> load_catalog(const model::SdkSources& sources);

/// Whether one of `patterns` matches `name`.
bool matches_any(const std::vector<std::string>& patterns, const std::string& name);

} // namespace kbuild::toolchain
