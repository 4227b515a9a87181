#include "rules.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/matrix/published.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::check {
namespace {

using model::Version;

std::vector<std::string> names_of(const std::vector<Version>& versions) {
    std::vector<std::string> names;
    for (const auto& version : versions)
        names.push_back(version.to_string());
    return names;
}

/// torch versions that are asked for by name, or those that upstream publishes for.
std::vector<Version> wanted_torch(const config::Settings& settings) {
    if (!settings.matrix_torch)
        return matrix::published_matrix().torch;
    std::vector<Version> versions;
    for (const auto& version : *settings.matrix_torch)
        versions.push_back(version.value.major_minor());
    return versions;
}

void check_bounds(const Subject& subject, diag::Sink& sink) {
    const auto& framework = subject.config.framework;
    const auto wanted = wanted_torch(subject.settings);
    const auto& range = framework.versions;
    const bool crossed = range.min && range.max && *range.max < *range.min; // K0201 says so
    if (crossed || wanted.empty() ||
        std::any_of(wanted.begin(), wanted.end(), [&](const auto& v) { return range.contains(v); }))
        return;
    auto problem = warning("K0415",
                           fmt::format("the bounds leave none of the torch versions {}",
                                       support::join(names_of(wanted), ", ")),
                           framework.span,
                           fmt::format("allows {}", range.to_string()));
    problem.notes.emplace_back(subject.settings.matrix_torch
                                   ? "the list is `matrix.torch` of kbuild.toml"
                                   : "these are the versions that upstream publishes for");
    problem.help.emplace_back("move `minver` or `maxver`, or name versions in `[matrix]`");
    sink.report(std::move(problem));
}

void check_stable_abi(const Subject& subject, diag::Sink& sink) {
    const auto& framework = subject.config.framework;
    for (const auto& [backend, version] : framework.stable_abi) {
        if (!framework.versions.max || version <= *framework.versions.max)
            continue;
        auto problem = mistake(
            "K0416",
            fmt::format("the stable ABI of torch {} is newer than `maxver`", version.dotted()),
            framework.span,
            fmt::format("allows {}", framework.versions.to_string()));
        problem.notes.emplace_back("no torch that has this ABI is within the bounds");
        problem.help.emplace_back("remove `maxver`, or lower `stable-abi`");
        return sink.report(std::move(problem));
    }
}

} // namespace

void check_versions(const Subject& subject, diag::Sink& sink) {
    if (subject.config.framework.kind != config::FrameworkKind::torch)
        return;
    check_bounds(subject, sink);
    check_stable_abi(subject, sink);
}

} // namespace kbuild::check
