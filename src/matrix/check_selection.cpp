#include "kbuild/matrix/select.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::matrix {
namespace {

using support::ErrorKind;

/// The exclusions on a line each, below `headline`; the fixes, each once, as the hint.
support::Error error_of(ErrorKind kind,
                        std::string headline,
                        const std::vector<const Excluded*>& reasons,
                        const std::vector<std::string>& notes) {
    std::vector<std::string> fixes;
    for (const auto* excluded : reasons) {
        headline += fmt::format("\n  {}: {}", excluded->variant.name(), excluded->reason);
        const auto fix = fmt::format("`{}`", excluded->fix);
        if (!excluded->fix.empty() && std::find(fixes.begin(), fixes.end(), fix) == fixes.end())
            fixes.push_back(fix);
    }
    for (const auto& note : notes)
        headline += "\n  " + note;
    return {kind, std::move(headline), support::join(fixes, "\n")};
}

} // namespace

support::Result<void> check_selection(const BuildSet& set) {
    std::vector<const Excluded*> promised;
    std::vector<const Excluded*> all;
    for (const auto& excluded : set.excluded) {
        all.push_back(&excluded);
        if (excluded.promised)
            promised.push_back(&excluded);
    }
    if (!promised.empty())
        return tl::unexpected(error_of(ErrorKind::toolchain,
                                       fmt::format("{} of the matrix cannot be built",
                                                   support::plural(promised.size(), "variant")),
                                       promised,
                                       {}));
    if (!set.selected.empty())
        return {};
    return tl::unexpected(
        error_of(ErrorKind::nothing, "no variant is left to build", all, set.notes));
}

} // namespace kbuild::matrix
