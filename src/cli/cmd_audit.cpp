#include "audit_report.hpp"
#include "commands.hpp"
#include "fetch_variants.hpp"
#include "variant_checks.hpp"

#include "kbuild/abi/manylinux.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

struct AuditOptions {
    std::string what = ".";
    std::string repo_type = "kernel";
    std::string policy; ///< empty: the project's
    std::string format = "text";
    std::string html; ///< a file for the page; empty: none
};

/// `owner/name`, `owner/name@1`: no path that is there, and just one slash.
bool is_repository(const std::string& what) {
    return !support::path_exists(what) && !what.starts_with(".") && !what.starts_with("/") &&
           std::count(what.begin(), what.end(), '/') == 1;
}

/// Fetches all variants of a published kernel.
Result<support::TempDir> fetch(const Context& context, const AuditOptions& options) {
    KB_TRY_ASSIGN(kernel, find_published(context, options.repo_type, options.what));
    KB_TRY_ASSIGN(folder, support::TempDir::create_temporary("kbuild-audit-"));
    KB_TRY(fetch_variants(context, kernel, kernel.variants, folder.path()));
    return folder;
}

Result<int> audit_folder(const Context& context, const AuditOptions& options, const fs::path& dir) {
    KB_TRY_ASSIGN(folders, layout::discover_folders(dir));
    const auto sdks = sdks_at_hand(context);
    const auto policy = policy_for(options.policy, dir);
    const auto report = audit::audit(
        folders, [&](const fs::path& folder) { return expectations_of(folder, sdks, policy); });
    context.data(options.format == "json" ? audit_json(report, options.what) : audit_text(report));
    if (!options.html.empty())
        KB_TRY(support::write_file_atomically(options.html, audit_html(report, options.what)));
    return report.count(diag::Severity::error) == 0 ? 0 : support::exit_code(ErrorKind::content);
}

Result<int> run_audit(const Context& context, const AuditOptions& options) {
    if (!is_repository(options.what))
        return audit_folder(context, options, options.what);
    KB_TRY_ASSIGN(folder, fetch(context, options));
    return audit_folder(context, options, folder.path());
}

} // namespace

Command audit_command() {
    return {"audit",
            "one report on finished variants, here or on the Hub: checks, figures, contradictions",
            {},
            [](Options& app) {
                const auto options = std::make_shared<AuditOptions>();
                app.value(
                    options->what,
                    {.names = "DIR",
                     .help = "a project, a folder of variants, one variant, or owner/name[@1]"});
                app.value(options->repo_type,
                          {.names = "--repo-type",
                           .help = "what kind of repository",
                           .type = "TYPE",
                           .choices = {"kernel", "model"}});
                declare_policy(app, options->policy);
                app.value(options->html,
                          {.names = "--html",
                           .help = "also write the report as a page of its own",
                           .type = "FILE"});
                declare_format(app, options->format, {"text", "json"});
                return [options](Context& context) { return run_audit(context, *options); };
            }};
}

} // namespace kbuild::cli
