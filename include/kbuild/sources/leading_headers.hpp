#pragma once

#include "kbuild/sources/source_tree.hpp"

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace kbuild::sources {

/// A macro that the project defines before one of these headers, such as an include guard.
struct EarlyMacro {
    std::string name;
    std::size_t before = 0; ///< index of the first header behind it
    auto operator<=>(const EarlyMacro&) const = default;
};

/// The headers from elsewhere that a unit reads before anything else of its own: what may be
/// precompiled without changing what the unit means.
struct LeadingHeaders {
    std::vector<std::string> headers; ///< as spelled, `torch/all.h`; in order
    /// They must not be names that the headers behind them use. In order.
    std::vector<EarlyMacro> macros;
    std::string end; ///< what comes next: `torch_binding.h:6: code`; empty at the file's end
};

/// Walks `source` and the project's headers that it includes in the compiler's order, up to the
/// first code, condition (other than an include guard) or directive that could change what headers
/// mean. `folders` as in SourceTree::resolve. `registration.h` is kbuild's own unless the project
/// has one.
LeadingHeaders leading_headers(SourceTree& tree,
                               const std::string& source,
                               const std::vector<std::string>& folders);

} // namespace kbuild::sources
