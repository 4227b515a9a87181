#include "audit_report.hpp"
#include "finding_json.hpp"
#include "inspect_report.hpp"

namespace kbuild::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What the variant says of itself; null where it cannot be read.
Json metadata_json(const audit::VariantReport& variant) {
    if (!variant.metadata)
        return nullptr;
    const auto& metadata = *variant.metadata;
    Json archs = nullptr;
    if (metadata.archs) {
        archs = Json::array();
        for (const auto& arch : *metadata.archs)
            archs.push_back(arch.to_string());
    } else if (metadata.other_archs) {
        archs = *metadata.other_archs;
    }
    const auto* const commit = metadata.provenance && metadata.provenance->kernel
                                   ? &*metadata.provenance->kernel
                                   : nullptr;
    return {{"name", metadata.name},
            {"id", metadata.id},
            {"version", metadata.version},
            {"license", metadata.license},
            {"backend", model::to_string(metadata.backend)},
            {"archs", std::move(archs)},
            {"digest", metadata.digest.has_value()},
            {"commit", commit != nullptr ? Json(commit->commit) : Json(nullptr)},
            {"dirty", commit != nullptr ? Json(commit->dirty) : Json(nullptr)}};
}

Json variant_json(const audit::VariantReport& variant) {
    Json libraries = Json::array();
    for (const auto& library : variant.libraries) {
        auto file = inspect_json(library);
        file["path"] = library.path.lexically_relative(variant.folder).generic_string();
        libraries.push_back(std::move(file));
    }
    return {{"name", variant.name},
            {"ok", variant.errors == 0},
            {"errors", variant.errors},
            {"warnings", variant.warnings},
            {"folder", audit::to_string(variant.shape)},
            {"bytes", variant.facts.bytes},
            {"library", variant.facts.library},
            {"sha256", variant.facts.sha256},
            {"metadata", metadata_json(variant)},
            {"libraries", std::move(libraries)}};
}

} // namespace

std::string audit_json(const audit::Report& report, const std::string& what) {
    Json findings = Json::array();
    for (const auto& finding : report.findings) {
        auto entry = finding_json(finding.what);
        entry["variants"] = finding.variants;
        findings.push_back(std::move(entry));
    }
    Json variants = Json::array();
    for (const auto& variant : report.variants)
        variants.push_back(variant_json(variant));
    return json_text({{"schema", 1},
                      {"audited", what},
                      {"errors", report.count(diag::Severity::error)},
                      {"warnings", report.count(diag::Severity::warning)},
                      {"notes", report.count(diag::Severity::note)},
                      {"findings", std::move(findings)},
                      {"variants", std::move(variants)}});
}

} // namespace kbuild::cli
