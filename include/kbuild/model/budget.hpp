#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace kbuild::model {

/// What the kernels of a project may use at most (`[budget]` of kbuild.toml); what is not set is
/// not limited.
struct Budget {
    std::string pattern;                  ///< shell pattern of kernel names; empty: all kernels
    std::optional<std::uint64_t> vgprs;   ///< of a lane, AGPRs included
    std::optional<std::uint64_t> lds;     ///< bytes
    std::optional<std::uint64_t> scratch; ///< bytes of a lane
    std::optional<std::uint64_t> spills;  ///< registers, vector and scalar ones together
    std::optional<std::uint64_t> size;    ///< bytes of a library; only where `pattern` is empty
    bool operator==(const Budget&) const = default;
};

} // namespace kbuild::model
