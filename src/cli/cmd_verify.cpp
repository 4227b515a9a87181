#include "commands.hpp"
#include "finding_json.hpp"
#include "load_check.hpp"
#include "machine.hpp"
#include "project.hpp"
#include "rebuild_check.hpp"
#include "variant_checks.hpp"

#include "kbuild/inspect/occupancy.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/ui/table.hpp"
#include "kbuild/verify/verify.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using support::Result;

struct VerifyOptions {
    std::string dir = ".";
    std::string policy; ///< empty: the project's
    std::string format = "text";
    bool rebuild = false;
    bool load = false;
    bool write_digest = false;
    std::string python = "python3"; ///< for `load`
};

struct Verdict {
    fs::path folder;
    verify::VariantFacts facts;
    diag::Collector findings;
};

std::vector<std::string> names_of(const std::vector<model::GfxArch>& archs) {
    std::vector<std::string> names;
    for (const auto& arch : archs)
        names.push_back(arch.to_string());
    return names;
}

/// Which 8-bit floating point numbers each architecture's matrix instructions take.
Json fp8_formats(const std::vector<model::GfxArch>& archs) {
    Json formats = Json::object();
    for (const auto& arch : archs) {
        const auto fp8 = inspect::native_fp8(arch);
        formats[arch.to_string()] = fp8 ? Json(*fp8) : Json(nullptr);
    }
    return formats;
}

std::string to_json_text(const std::vector<Verdict>& verdicts) {
    Json variants = Json::array();
    for (const auto& verdict : verdicts) {
        Json findings = Json::array();
        for (const auto& finding : verdict.findings.sorted())
            findings.push_back(finding_json(finding));
        variants.push_back({{"name", layout::folder_name(verdict.folder)},
                            {"path", fs::absolute(verdict.folder).lexically_normal().string()},
                            {"ok", !verdict.findings.has_errors()},
                            {"library", verdict.facts.library},
                            {"sha256", verdict.facts.sha256},
                            {"bytes", verdict.facts.bytes},
                            {"archs", names_of(verdict.facts.device_code.archs())},
                            {"native_fp8", fp8_formats(verdict.facts.device_code.archs())},
                            {"kernels", verdict.facts.kernels},
                            {"findings", std::move(findings)}});
    }
    const Json document = {{"schema", 1}, {"variants", std::move(variants)}};
    return json_text(document);
}

std::string to_table(const std::vector<Verdict>& verdicts) {
    std::vector<std::vector<std::string>> rows = {
        {"variant", "result", "archs", "kernels", "size"}};
    for (const auto& verdict : verdicts) {
        const auto errors = verdict.findings.count(diag::Severity::error);
        rows.push_back({layout::folder_name(verdict.folder),
                        errors == 0 ? "ok" : support::plural(errors, "error"),
                        model::to_string(verdict.facts.device_code.archs()),
                        std::to_string(verdict.facts.kernels),
                        support::human_size(verdict.facts.bytes)});
    }
    return ui::table(rows);
}

/// `--write-digest`: what upstream's `hash` does to metadata.json, byte for byte.
Result<void> write_digest(const fs::path& folder) {
    const auto path = folder / "metadata.json";
    KB_TRY_ASSIGN(text, support::read_file(path));
    KB_TRY_ASSIGN(metadata, layout::read_metadata(text));
    KB_TRY_ASSIGN(digest, layout::digest_folder(folder));
    metadata.digest_algorithm = "sha256";
    metadata.digest = std::move(digest);
    return support::write_file_atomically(path, layout::write_metadata(metadata));
}

/// `--rebuild`: all variants in one copy of the project, so that what they share is made once.
Result<void>
rebuild_all(const Context& context, const VerifyOptions& options, std::vector<Verdict>& verdicts) {
    KB_TRY_ASSIGN(project, project_root(context, options.dir));
    KB_TRY_ASSIGN(copy, support::TempDir::create_temporary("kbuild-rebuild-"));
    KB_TRY(copy_project(project, copy.path()));
    for (auto& verdict : verdicts)
        KB_TRY(check_rebuild(context, project, verdict.folder, copy.path(), verdict.findings));
    return {};
}

/// `--load`: what Python has is asked once.
Result<void>
load_all(const Context& context, const VerifyOptions& options, std::vector<Verdict>& verdicts) {
    KB_TRY_ASSIGN(machine, (MachineOptions{{}, {}, options.python}.machine(context)));
    for (auto& verdict : verdicts)
        KB_TRY(check_load(
            verdict.folder, verdict.facts.ops, options.python, machine, verdict.findings));
    return {};
}

Result<int> verify_all(const Context& context, const VerifyOptions& options) {
    KB_TRY_ASSIGN(folders, layout::discover_folders(options.dir));
    const auto sdks = sdks_at_hand(context);
    const auto policy = policy_for(options.policy, options.dir);
    std::vector<Verdict> verdicts;
    for (const auto& folder : folders) {
        if (options.write_digest)
            KB_TRY(write_digest(folder));
        Verdict verdict{folder, {}, {}};
        const auto expectations = expectations_of(folder, sdks, policy);
        KB_TRY_ASSIGN(facts, verify::verify_variant(folder, expectations, verdict.findings));
        verdict.facts = std::move(facts);
        verdicts.push_back(std::move(verdict));
    }
    if (options.load)
        KB_TRY(load_all(context, options, verdicts));
    if (options.rebuild)
        KB_TRY(rebuild_all(context, options, verdicts));
    for (const auto& verdict : verdicts)
        context.show(verdict.findings);
    context.data(options.format == "json" ? to_json_text(verdicts) : to_table(verdicts));
    const auto bad = std::count_if(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) {
        return verdict.findings.has_errors();
    });
    return bad == 0 ? 0 : support::exit_code(support::ErrorKind::content);
}

} // namespace

Command verify_command() {
    return {"verify",
            "check built variants: layout, metadata, digests, GPU code, symbols",
            {"check-abi", "check-builds"},
            [](Options& app) {
                const auto options = std::make_shared<VerifyOptions>();
                app.value(
                    options->dir,
                    {.names = "DIR", .help = "a project, a folder of variants, or one variant"});
                declare_policy(app, options->policy);
                app.flag(options->write_digest,
                         {.names = "--write-digest",
                          .help = "write the digest of the files into metadata.json first"});
                app.flag(options->rebuild,
                         {.names = "--rebuild",
                          .help = "build again from build-provenance.json and compare the bytes"});
                app.flag(options->load,
                         {.names = "--load",
                          .help = "import with the `kernels` package where a torch fits"});
                app.value(options->python,
                          {.names = "--python",
                           .help = "whose torch and `kernels` are used by --load",
                           .type = "PROGRAM"});
                declare_format(app, options->format, {"text", "json"});
                return [options](Context& context) { return verify_all(context, *options); };
            }};
}

} // namespace kbuild::cli
