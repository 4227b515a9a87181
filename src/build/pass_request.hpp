#pragma once

#include "kbuild/generate/tree.hpp"
#include "kbuild/precompile/request.hpp"
#include "kbuild/sources/leading_headers.hpp"
#include "kbuild/support/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kbuild::build {

/// A pass of a unit and the precompiled header that it would use.
struct PassRequest {
    precompile::Request request;
    std::vector<std::string> left_out;       ///< `-D…` that are not part of it; in their order
    std::vector<sources::EarlyMacro> macros; ///< what the project defines before the headers
    std::vector<std::string> folders;        ///< of the project's headers
    std::vector<std::string> roots;          ///< of the SDKs' headers
    std::string refusal;                     ///< why there can be none; empty if there can
};

/// The request for a pass of `source` of `library` in `tree`: for `pass` of its device passes, or
/// for the host's (null). None where the unit's first headers are not of an SDK.
std::optional<PassRequest> pass_request(const generate::Tree& tree,
                                        const generate::Library& library,
                                        const generate::Source& source,
                                        const generate::DevicePass* pass,
                                        const sources::LeadingHeaders& leading);

/// `A` of `-DA=1`.
std::string name_of_macro(const std::string& definition);

} // namespace kbuild::build
