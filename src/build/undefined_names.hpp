#pragma once

#include "kbuild/build/plan.hpp"
#include "kbuild/build/work_folder.hpp"
#include "kbuild/diag/diagnostic.hpp"
#include "kbuild/support/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::build {

/// Where an object uses a name that the linker did not find.
struct UndefinedReference {
    std::string name;     ///< as the linker spells it
    std::string object;   ///< path of the object file as the linker was given it
    std::string function; ///< the user's name for it; empty if the linker does not say
    auto operator<=>(const UndefinedReference&) const = default;
};

/// Reads what GNU ld or lld said about undefined names; each name's first reference, sorted.
std::vector<UndefinedReference> parse_undefined(std::string_view linker_output);

/// One K0711 for each of `names` (as the linker spells them) that this machine's libraries have,
/// but older systems do not: since which version, and which function of which object needs it.
/// Names that they do not have are left to others. Links the variant once more, into nowhere, to
/// ask the linker.
support::Result<std::vector<diag::Diagnostic>>
explain_undefined(const std::vector<std::string>& names,
                  const PlannedVariant& variant,
                  const portable::Baseline& baseline,
                  const WorkFolder& folder,
                  const toolchain::HostTools& tools);

} // namespace kbuild::build
