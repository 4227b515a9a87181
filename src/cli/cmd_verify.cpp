#include "commands.hpp"
#include "variant_checks.hpp"

#include "kbuild/abi/manylinux.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
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
    std::string policy = "manylinux_2_28";
    std::string format = "text";
};

struct Verdict {
    fs::path folder;
    verify::VariantFacts facts;
    diag::Collector findings;
};

std::string_view severity_name(diag::Severity severity) {
    switch (severity) {
    case diag::Severity::note:
        return "note";
    case diag::Severity::warning:
        return "warning";
    case diag::Severity::error:
        return "error";
    }
    return "";
}

Json to_json(const diag::Diagnostic& finding) {
    return {{"severity", severity_name(finding.severity)},
            {"code", finding.code},
            {"message", finding.message},
            {"notes", finding.notes},
            {"help", finding.help}};
}

std::vector<std::string> names_of(const std::vector<model::GfxArch>& archs) {
    std::vector<std::string> names;
    for (const auto& arch : archs)
        names.push_back(arch.to_string());
    return names;
}

std::string to_json_text(const std::vector<Verdict>& verdicts) {
    Json variants = Json::array();
    for (const auto& verdict : verdicts) {
        Json findings = Json::array();
        for (const auto& finding : verdict.findings.sorted())
            findings.push_back(to_json(finding));
        variants.push_back({{"name", layout::folder_name(verdict.folder)},
                            {"path", fs::absolute(verdict.folder).lexically_normal().string()},
                            {"ok", !verdict.findings.has_errors()},
                            {"library", verdict.facts.library},
                            {"sha256", verdict.facts.sha256},
                            {"bytes", verdict.facts.bytes},
                            {"archs", names_of(verdict.facts.device_code.archs())},
                            {"kernels", verdict.facts.kernels},
                            {"findings", std::move(findings)}});
    }
    const Json document = {{"schema", 1}, {"variants", std::move(variants)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
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

std::vector<std::string> policies() {
    auto names = abi::manylinux_policies();
    names.emplace_back("none");
    return names;
}

Result<int> verify_all(const Context& context, const VerifyOptions& options) {
    KB_TRY_ASSIGN(folders, layout::discover_folders(options.dir));
    const auto sdks = sdks_at_hand(context);
    std::vector<Verdict> verdicts;
    for (const auto& folder : folders) {
        Verdict verdict{folder, {}, {}};
        auto expectations = expectations_of(folder, sdks);
        expectations.policy = options.policy;
        KB_TRY_ASSIGN(facts, verify::verify_variant(folder, expectations, verdict.findings));
        verdict.facts = std::move(facts);
        context.show(verdict.findings);
        verdicts.push_back(std::move(verdict));
    }
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
                app.value(options->policy,
                          {.names = "--policy",
                           .help = "how old a system it must load on; `none` does not check",
                           .type = "POLICY",
                           .choices = policies()});
                declare_format(app, options->format, {"text", "json"});
                return [options](Context& context) { return verify_all(context, *options); };
            }};
}

} // namespace kbuild::cli
