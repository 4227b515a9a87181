#pragma once

#include "kbuild/support/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace kbuild::inspect {

struct Decompressed {
    std::string bytes;
    std::size_t consumed = 0; ///< how long the compressed stream is
};

/// One stream at the front of `packed`, which must come to exactly `size` bytes; what follows it is
/// left alone. Memory grows with what really comes out, not with what is claimed.
support::Result<Decompressed> unpack_zlib(std::string_view packed, std::size_t size);
support::Result<Decompressed> unpack_zstd(std::string_view packed, std::size_t size);

} // namespace kbuild::inspect
