#include "kbuild/check/allowances.hpp"

#include "kbuild/diag/codes.hpp"
#include "kbuild/diag/finding.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::check {
namespace {

namespace fs = std::filesystem;

bool can_be_accepted(const diag::Diagnostic& finding) {
    return finding.severity != diag::Severity::error || finding.code == "K0412";
}

/// The file of a finding, relative to the project.
std::string path_of(const diag::Diagnostic& finding, const fs::path& root) {
    if (!finding.span)
        return {};
    std::error_code code;
    const auto path = fs::absolute(finding.span.file->name(), code).lexically_normal();
    return path.lexically_relative(root).generic_string();
}

bool accepts(const config::Allowance& entry,
             const diag::Diagnostic& finding,
             const fs::path& root) {
    return entry.code == finding.code && can_be_accepted(finding) &&
           (entry.path.empty() || support::matches_glob(entry.path, path_of(finding, root)));
}

diag::Diagnostic accepts_nothing(const config::Allowance& entry) {
    const bool known = !diag::page(entry.code).empty();
    auto problem =
        warning("K0430",
                known ? fmt::format("nothing is accepted by this entry for `{}`", entry.code)
                      : fmt::format("`{}` is not a code", entry.code),
                entry.span,
                known ? "matches no finding" : "accepts nothing");
    if (!known) {
        std::vector<std::string> codes;
        for (const auto& info : diag::codes())
            codes.emplace_back(info.code);
        if (const auto nearest = support::closest(entry.code, codes))
            problem.help.push_back(fmt::format("did you mean `{}`?", *nearest));
    } else {
        problem.help.emplace_back("remove it");
    }
    return problem;
}

} // namespace

diag::Collector without_accepted(std::vector<diag::Diagnostic> findings,
                                 const std::vector<config::Allowance>& allow,
                                 const fs::path& root,
                                 bool all_rules_ran) {
    diag::Collector rest;
    std::vector<bool> used(allow.size(), false);
    for (auto& finding : findings) {
        bool accepted = false;
        for (std::size_t i = 0; i < allow.size(); ++i)
            if (accepts(allow[i], finding, root))
                used[i] = accepted = true;
        if (!accepted)
            rest.report(std::move(finding));
    }
    for (std::size_t i = 0; all_rules_ran && i < allow.size(); ++i)
        if (!used[i])
            rest.report(accepts_nothing(allow[i]));
    return rest;
}

} // namespace kbuild::check
