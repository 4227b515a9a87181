#pragma once

#include "kbuild/sources/source_tree.hpp"

#include <string>
#include <vector>

namespace kbuild::sources {

/// The headers from elsewhere that a unit reads before anything else of its own: what may be
/// precompiled without changing what the unit means.
struct LeadingHeaders {
    std::vector<std::string> headers; ///< as spelled, `torch/all.h`; in order
    /// Macros that the project defines before the last of them, such as include guards: they must
    /// not be names that these headers use.
    std::vector<std::string> macros;
    std::string end; ///< what comes next: `torch_binding.h:6: code`; empty at the file's end
};

/// Walks `source` and the project's headers that it includes in the compiler's order, up to the
/// first code, condition (other than an include guard) or directive that could change what headers
/// mean. `folders` as in SourceTree::resolve.
LeadingHeaders leading_headers(SourceTree& tree,
                               const std::string& source,
                               const std::vector<std::string>& folders);

} // namespace kbuild::sources
