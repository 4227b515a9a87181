#pragma once

#include "kbuild/inspect/file_report.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::inspect {

/// What a diff compares. Of a figure more is worse, but for `waves` (per compute unit), where less
/// is; of archs, kernels and symbols one that is gone is.
enum class Measure {
    archs,
    kernels,
    symbols,
    size,
    vgprs,
    agprs,
    sgprs,
    spills,
    scratch,
    lds,
    code,
    waves
};

std::string_view to_string(Measure measure); ///< `vgprs`; what `--fail-on` takes
const std::vector<Measure>& measures();      ///< all, in the order of the enumeration

/// One difference of two files.
struct Change {
    Measure measure = Measure::archs;
    std::string subject; ///< `gfx942 gemm` (mangled) for a figure, else what is new or gone
    std::uint64_t before = 0;
    std::uint64_t after = 0; ///< of archs, kernels and symbols 1 is there, 0 is not
    bool operator==(const Change&) const = default;
};

/// Whether it is in the bad direction.
bool is_regression(const Change& change);

/// What of `after` differs from `before`: sorted by measure, then subject. Kernels are the same if
/// architecture and mangled name are; figures only of kernels that both have.
std::vector<Change> diff(const FileReport& before, const FileReport& after);

} // namespace kbuild::inspect
