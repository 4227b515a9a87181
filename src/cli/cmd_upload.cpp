#include "commands.hpp"
#include "upload.hpp"

#include <memory>

namespace kbuild::cli {
namespace {

void declare_target(Options& app, UploadOptions& options) {
    app.value(options.repo_id,
              {.names = "--repo-id",
               .help = "the repository; default: `repo-id` of build.toml",
               .type = "OWNER/NAME"});
    app.value(options.repo_type,
              {.names = "--repo-type",
               .help = "what kind of repository",
               .type = "TYPE",
               .choices = {"kernel", "model"}});
    app.value(options.branch,
              {.names = "--branch",
               .help = "default: `branch` of build.toml, else v<version>",
               .type = "BRANCH"});
    app.flag(options.is_private, {.names = "--private", .help = "if the repository is created"});
    app.flag(options.pull_request,
             {.names = "--pr,--create-pr",
              .help = "open a pull request instead of committing to the branch"});
    app.value(options.update_pr,
              {.names = "--update-pr",
               .help = "put the commit into this pull request",
               .type = "NUMBER"});
}

void declare_way(Options& app, UploadOptions& options) {
    app.value(options.via,
              {.names = "--via",
               .help = "the Hub's API, or git and LFS",
               .type = "WAY",
               .choices = {"http", "git"}});
    app.value(
        options.remote,
        {.names = "--remote", .help = "with --via git: push there, not to the Hub", .type = "URL"});
    app.value(options.to,
              {.names = "--to",
               .help = "only write a checkout, to be committed by hand",
               .type = "FOLDER"});
}

void declare_rules(Options& app, UploadOptions& options) {
    app.flag(options.prune,
             {.names = "--prune", .help = "remove published variants that are not here"});
    app.flag(options.allowed.dirty,
             {.names = "--allow-dirty", .help = "also variants of a changed or unknown commit"});
    app.flag(
        options.allowed.sdk_origin,
        {.names = "--allow-sdk-origin", .help = "also variants built with a rebuilt or mixed SDK"});
    app.flag(
        options.allowed.failed_checks,
        {.names = "--allow-failed-checks", .help = "also variants that `kbuild verify` refuses"});
}

void declare(Options& app, UploadOptions& options) {
    app.value(options.dir,
              {.names = "DIR",
               .help = "a project (default: the one around here), or a folder of variants"});
    declare_target(app, options);
    declare_way(app, options);
    declare_rules(app, options);
    app.flag(options.dry_run, {.names = "-n,--dry-run", .help = "print the plan, send nothing"});
    app.value(options.output_json,
              {.names = "--output-json",
               .help = "also write the result as JSON to this file",
               .type = "FILE"});
    declare_format(app, options.format, {"text", "json"});
}

} // namespace

Command upload_command() {
    return {"upload", "publish the built variants to the Hub", {}, [](Options& app) {
                const auto options = std::make_shared<UploadOptions>();
                declare(app, *options);
                return [options](Context& context) { return run_upload(context, *options); };
            }};
}

} // namespace kbuild::cli
