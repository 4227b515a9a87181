#include "kbuild/publish/policy.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kbuild::publish {
namespace {

using diag::Severity;
using support::ErrorKind;
using support::Result;

void report(diag::Sink& sink,
            Severity severity,
            const char* code,
            std::string message,
            std::vector<std::string> notes,
            std::vector<std::string> help) {
    diag::Diagnostic finding;
    finding.severity = severity;
    finding.code = code;
    finding.message = std::move(message);
    finding.notes = std::move(notes);
    finding.help = std::move(help);
    sink.report(std::move(finding));
}

/// Why a variant cannot be traced to a commit; empty if it can.
std::string commit_problem(const layout::Metadata& metadata) {
    if (!metadata.provenance || !metadata.provenance->kernel)
        return "not known from which commit";
    if (metadata.provenance->kernel->dirty)
        return fmt::format("built from files that differ from commit {}",
                           metadata.provenance->kernel->commit.substr(0, 12));
    return {};
}

/// One diagnostic for all variants with the same problem.
void report_variants(diag::Sink& sink,
                     const char* code,
                     bool allowed,
                     const std::map<std::string, std::vector<std::string>>& by_problem,
                     const std::string& help) {
    for (const auto& [problem, names] : by_problem)
        report(sink,
               allowed ? Severity::warning : Severity::error,
               code,
               fmt::format("{}: {}", support::plural(names.size(), "variant"), problem),
               names,
               allowed ? std::vector<std::string>() : std::vector{help});
}

bool may_write(const hub::Scope& scope, const hub::Repository& repository) {
    const bool whole_owner = (scope.entity_type == "user" || scope.entity_type == "org") &&
                             scope.entity_name == repository.owner;
    const bool this_one = scope.entity_name == repository.id();
    return (whole_owner || this_one) &&
           std::find(scope.permissions.begin(), scope.permissions.end(), "repo.write") !=
               scope.permissions.end();
}

std::string token_text(const hub::WhoAmI& who) {
    return who.token_name.empty() ? fmt::format("the token of {}", who.name)
                                  : fmt::format("the token `{}` of {}", who.token_name, who.name);
}

Result<void> check_token(const hub::WhoAmI& who,
                         const hub::Repository& repository,
                         const std::string& endpoint) {
    if (who.token_role == "read")
        return support::fail(
            ErrorKind::network,
            fmt::format("{} can only read", token_text(who)),
            fmt::format("make one that can write at `{}/settings/tokens`", endpoint));
    if (who.token_role != "fineGrained")
        return {};
    const bool scoped = std::any_of(who.scopes.begin(), who.scopes.end(), [&](const auto& scope) {
        return may_write(scope, repository);
    });
    if (scoped)
        return {};
    return support::fail(
        ErrorKind::network,
        fmt::format(
            "{} is fine-grained and may not write to `{}`", token_text(who), repository.id()),
        fmt::format(
            "give it `repo.write` for `{}` at `{}/settings/tokens`", repository.owner, endpoint));
}

Result<void> check_namespace(const hub::WhoAmI& who, const hub::Repository& repository) {
    if (repository.owner == who.name)
        return {};
    const auto org = std::find_if(who.orgs.begin(), who.orgs.end(), [&](const auto& membership) {
        return membership.name == repository.owner;
    });
    if (org == who.orgs.end()) {
        std::vector<std::string> names = {fmt::format("`{}`", who.name)};
        for (const auto& membership : who.orgs)
            names.push_back(fmt::format("`{}`", membership.name));
        return support::fail(
            ErrorKind::network,
            fmt::format("{} is no member of `{}`", who.name, repository.owner),
            fmt::format(
                "this account can publish under {}; name the repository with `--repo-id`, or "
                "open a pull request with `--pr`",
                support::join(names, ", ")));
    }
    if (org->role == "read")
        return support::fail(ErrorKind::network,
                             fmt::format("{} may only read in `{}`", who.name, repository.owner),
                             "ask an administrator of the organisation for the role `write`");
    return {};
}

} // namespace

std::uint64_t common_version(const LocalContent& content, diag::Sink& sink) {
    std::map<std::uint64_t, std::vector<std::string>> by_version;
    for (const auto& variant : content.variants)
        by_version[variant.metadata.version].push_back(variant.name);
    if (by_version.size() > 1) {
        std::vector<std::string> notes;
        for (const auto& [version, names] : by_version)
            notes.push_back(fmt::format("version {}: {}", version, support::join(names, ", ")));
        report(sink,
               Severity::error,
               "K1003",
               "the variants are of different versions",
               std::move(notes),
               {"build all of them, or remove those of the old version"});
    }
    return by_version.empty() ? 0 : by_version.rbegin()->first;
}

std::string doubtful_sdk(const layout::Provenance& provenance) {
    for (const auto& sdk : {provenance.torch_sdk, provenance.rocm_sdk}) {
        if (!sdk)
            continue;
        // `HIP 6.4.43484 (apt, mix: …)`: provider and origin stand in the brackets.
        const auto open = sdk->find('(');
        if (open == std::string::npos)
            continue;
        const auto inside = std::string_view(*sdk).substr(open);
        for (const auto* const origin : {", rebuild", ", mix"})
            if (support::contains(inside, origin))
                return *sdk;
    }
    return {};
}

void check_provenance(const LocalContent& content, const Allowances& allowed, diag::Sink& sink) {
    std::map<std::string, std::vector<std::string>> untraceable;
    std::map<std::string, std::vector<std::string>> doubtful;
    for (const auto& variant : content.variants) {
        if (const auto problem = commit_problem(variant.metadata); !problem.empty())
            untraceable[problem].push_back(variant.name);
        if (!variant.metadata.provenance)
            continue;
        if (const auto sdk = doubtful_sdk(*variant.metadata.provenance); !sdk.empty())
            doubtful[fmt::format("built with {}, which is not the maker's own release", sdk)]
                .push_back(variant.name);
    }
    report_variants(sink,
                    "K1004",
                    allowed.dirty,
                    untraceable,
                    "commit everything and build again, or publish it anyway with `--allow-dirty`");
    report_variants(sink,
                    "K1005",
                    allowed.sdk_origin,
                    doubtful,
                    "build with AMD's or PyTorch's release, or publish it anyway with "
                    "`--allow-sdk-origin`");
}

void check_branch(const std::string& branch, std::uint64_t version, diag::Sink& sink) {
    const bool versioned = branch.size() > 1 && branch.front() == 'v' &&
                           branch.find_first_not_of("0123456789", 1) == std::string::npos;
    const auto own = fmt::format("v{}", version);
    if (!versioned || branch == own)
        return;
    report(sink,
           Severity::error,
           "K1007",
           fmt::format("version {} does not belong on branch `{}`", version, branch),
           {fmt::format("loaders take `{}` for version {}", branch, branch.substr(1))},
           {fmt::format(
               "leave `--branch` out (then it is `{}`), or change `version` in build.toml and "
               "build again",
               own)});
}

Result<void> check_rights(const hub::WhoAmI& who,
                          const hub::Repository& repository,
                          const std::string& endpoint) {
    KB_TRY(check_token(who, repository, endpoint));
    return check_namespace(who, repository);
}

} // namespace kbuild::publish
