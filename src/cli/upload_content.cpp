#include "upload_content.hpp"

#include "variant_checks.hpp"

#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/publish/card.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <future>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using publish::LocalContent;
using support::ErrorKind;
using support::Result;

/// Runs the checks of `kbuild verify`; how many variants fail.
Result<std::size_t> failing_variants(const Context& context, const std::vector<fs::path>& folders) {
    const auto sdks = sdks_at_hand(context);
    std::size_t failing = 0;
    for (const auto& folder : folders) {
        diag::Collector all;
        KB_TRY(verify::verify_variant(
            folder, expectations_of(folder, sdks, policy_for({}, folder)), all));
        diag::Collector errors;
        for (const auto& finding : all.sorted())
            if (finding.severity == diag::Severity::error || context.globals().verbosity > 0)
                errors.report(finding);
        context.show(errors);
        failing += all.has_errors() ? 1 : 0;
    }
    return failing;
}

/// Whether the variants pass their checks, or may go without.
Result<bool> pass_checks(const Context& context,
                         const std::vector<fs::path>& folders,
                         const publish::Allowances& allowed) {
    KB_TRY_ASSIGN(failing, failing_variants(context, folders));
    if (failing == 0)
        return true;
    const auto text =
        fmt::format("`kbuild verify` refuses {} of {} variants", failing, folders.size());
    if (allowed.failed_checks) {
        context.say("warning: " + text);
        return true;
    }
    context.show(support::Error(ErrorKind::content,
                                text,
                                "mend what is listed above, or publish anyway with "
                                "`--allow-failed-checks`"));
    return false;
}

/// README.md of CARD.md, if there is a card. False: it has a mistake, which was reported.
Result<bool> add_readme(const UploadProject& project,
                        const hub::Repository& repository,
                        std::uint64_t version,
                        LocalContent& content,
                        diag::Sink& sink) {
    const auto file = project.root / "CARD.md";
    if (!project.config || !support::is_file(file))
        return true;
    const auto& general = project.config->general;
    KB_TRY_ASSIGN(text, support::read_file(file, publish::kMaxRegular));
    const publish::CardFacts facts{repository.id(),
                                   version,
                                   general.name.value.module(),
                                   general.license,
                                   general.upstream,
                                   general.source};
    KB_TRY_ASSIGN(values, publish::card_values(project.root, facts));
    const auto source = std::make_shared<diag::SourceFile>("CARD.md", std::move(text));
    auto readme = publish::render_card(source, values, sink);
    if (!readme)
        return false;
    content.readme = publish::text_file("README.md", std::move(*readme));
    return true;
}

Result<LocalContent>
collect(const UploadProject& project, const std::vector<fs::path>& folders, diag::Sink& sink) {
    LocalContent content;
    publish::AllowList allowed;
    if (project.config)
        allowed.data_extensions = project.config->data_extensions();
    KB_TRY_ASSIGN(variants, publish::collect_variants(folders, allowed, sink));
    content.variants = std::move(variants);
    content.has_benchmarks = support::is_folder(project.root / "benchmarks");
    KB_TRY_ASSIGN(benchmarks, publish::collect_benchmarks(project.root));
    content.benchmarks = std::move(benchmarks);
    return content;
}

std::string
branch_name(const UploadProject& project, const UploadOptions& options, std::uint64_t version) {
    if (!options.branch.empty())
        return options.branch;
    if (project.config && project.config->general.hub.branch)
        return *project.config->general.hub.branch;
    return fmt::format("v{}", version);
}

} // namespace

Result<std::optional<Gathered>> gather(const Context& context,
                                       const UploadProject& project,
                                       const UploadOptions& options,
                                       const hub::Repository& repository) {
    KB_TRY_ASSIGN(folders, layout::discover_folders(project.root));
    diag::Collector findings;
    // Both read every library from end to end, and neither waits for the other.
    auto collecting =
        std::async(std::launch::async, [&] { return collect(project, folders, findings); });
    KB_TRY_ASSIGN(pass, pass_checks(context, folders, options.allowed));
    if (!pass)
        return std::nullopt;
    Gathered gathered;
    KB_TRY_ASSIGN(content, collecting.get());
    gathered.content = std::move(content);
    const auto version = publish::common_version(gathered.content, findings);
    gathered.branch = branch_name(project, options, version);
    publish::check_branch(gathered.branch, version, findings);
    publish::check_provenance(gathered.content, options.allowed, findings);
    if (options.update_pr == 0)
        KB_TRY(add_readme(project, repository, version, gathered.content, findings));
    context.show(findings);
    if (findings.has_errors())
        return std::nullopt;
    return gathered;
}

} // namespace kbuild::cli
