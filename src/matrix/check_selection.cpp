#include "kbuild/matrix/select.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kbuild::matrix {
namespace {

using support::ErrorKind;

/// The fixes, each once; SDKs that can be fetched are put together in one command.
std::string fixes_of(const std::vector<const Excluded*>& reasons) {
    constexpr std::string_view kAdd = "kbuild toolchain add ";
    std::set<std::string> sdks;
    std::set<std::string> others;
    for (const auto* excluded : reasons) {
        const std::string_view fix = excluded->fix;
        if (!fix.starts_with(kAdd)) {
            others.emplace(fix);
            continue;
        }
        for (auto& name : support::split(fix.substr(kAdd.size()), ' '))
            sdks.insert(std::move(name));
    }
    others.erase("");
    std::vector<std::string> lines;
    if (!sdks.empty())
        lines.push_back(fmt::format("`{}{}`", kAdd, fmt::join(sdks, " ")));
    for (const auto& fix : others)
        lines.push_back(fmt::format("`{}`", fix));
    return support::join(lines, "\n");
}

/// The exclusions on a line each, below `headline`.
support::Error error_of(ErrorKind kind,
                        std::string headline,
                        const std::vector<const Excluded*>& reasons,
                        const std::vector<std::string>& notes) {
    for (const auto* excluded : reasons)
        headline += fmt::format("\n  {}: {}", excluded->variant.name(), excluded->reason);
    for (const auto& note : notes)
        headline += "\n  " + note;
    return {kind, std::move(headline), fixes_of(reasons)};
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
    const bool lacks_sdks = std::any_of(all.begin(), all.end(), [](const Excluded* excluded) {
        return excluded->cause == Excluded::Cause::sdk;
    });
    if (lacks_sdks)
        return tl::unexpected(error_of(
            ErrorKind::toolchain, "no variant can be built: SDKs are missing", all, set.notes));
    return tl::unexpected(
        error_of(ErrorKind::nothing, "no variant is left to build", all, set.notes));
}

} // namespace kbuild::matrix
