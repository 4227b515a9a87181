#pragma once

#include "kbuild/support/result.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kbuild::support {

using Sha256Digest = std::array<std::uint8_t, 32>;

Sha256Digest sha256(std::string_view bytes);
Result<Sha256Digest> sha256_file(const std::filesystem::path& path);

std::string to_hex(const Sha256Digest& digest);    ///< 64 lower-case digits
std::string to_base64(const Sha256Digest& digest); ///< standard alphabet, with padding

/// Builds a digest of typed, delimited fields: ("a","bc") and ("ab","c") differ.
class Fingerprint {
  public:
    Fingerprint& add(std::string_view name, std::string_view value);
    std::string hex() const; ///< 64 lower-case digits; more may be added afterwards

  private:
    std::string text_;
};

} // namespace kbuild::support
