#pragma once

#include "kbuild/model/version.hpp"

#include <string>
#include <vector>

/// Where SDKs can be fetched from beyond what kbuild knows itself: data of a user or a project.
namespace kbuild::model {

/// An entry of apt's preferences file.
struct AptPreference {
    std::string packages; ///< names or patterns, blank separated
    std::string pin;      ///< `release a=experimental`
    int priority = 0;
};

/// An apt repository that carries a ROCm.
struct RocmSource {
    Version version;                     ///< major.minor of HIP
    std::string label;                   ///< for people; empty: made of the suites
    std::string layout;                  ///< how its packages are cut: `debian` or `amd`
    std::string repository;              ///< its address; empty: the machine's mirror of Debian
    std::string keyring;                 ///< the file of the key that signs it; empty: apt's own
    std::vector<std::string> suites;     ///< `noble`
    std::vector<std::string> components; ///< empty: `main`
    std::vector<AptPreference> pins;
};

/// A Python index that carries a torch.
struct TorchSource {
    Version version;       ///< major.minor
    std::string index_url; ///< empty: SdkSources::index_url
};

/// Of two entries for one version the later counts, and both before what kbuild knows itself.
struct SdkSources {
    std::string index_url; ///< for all torches; empty: as pip is set up
    std::vector<RocmSource> rocm;
    std::vector<TorchSource> torch;

    bool has_rocm(const Version& version) const {
        for (const auto& source : rocm)
            if (source.version == version)
                return true;
        return false;
    }
};

} // namespace kbuild::model
