#include "kbuild/check/unrepeated.hpp"

#include <set>
#include <string_view>
#include <utility>

namespace kbuild::check {
namespace {

using Place = std::pair<std::string_view, diag::Position>;

Place place_of(const diag::Diagnostic& finding) {
    return {finding.span.file->name(), finding.span.begin};
}

} // namespace

void add_unrepeated(diag::Collector opinions, diag::Collector& found) {
    auto candidates = std::move(opinions).sorted();
    if (candidates.empty())
        return;
    // The names are those of shared source files, which outlive this.
    std::set<Place> wrong;
    for (const auto* const finding : found.in_order())
        if (finding->span && finding->severity == diag::Severity::error)
            wrong.insert(place_of(*finding));
    for (auto& opinion : candidates)
        if (!opinion.span || !wrong.contains(place_of(opinion)))
            found.report(std::move(opinion));
}

} // namespace kbuild::check
