#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::toolchain {

/// What the archive says of one binary package.
struct Package {
    std::string name;
    std::string version;                           ///< `1:21.1.8-13`
    std::vector<std::vector<std::string>> depends; ///< names; each entry a list of alternatives
    std::string sha256;                            ///< of the .deb, from the signed index
    std::uintmax_t size = 0;                       ///< bytes of the .deb

    /// The maker's part of the version: `1:21.1.8-13` -> `21.1.8`, `7.0.2+dfsg-3` -> `7.0.2`.
    std::string upstream_version() const;
};

using PackageIndex = std::map<std::string, Package>;

/// Reads the stanzas that `apt-cache show` prints; of a name that comes twice the first is kept.
PackageIndex parse_packages(std::string_view text);

/// `libc6 (>= 2.38), perl:any | perl6` -> names without versions and architectures.
std::vector<std::vector<std::string>> parse_dependencies(std::string_view field);

} // namespace kbuild::toolchain
