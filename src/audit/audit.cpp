#include "kbuild/audit/audit.hpp"

#include "lint.hpp"

#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/model/kernel_name.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace kbuild::audit {
namespace {

namespace fs = std::filesystem;
using diag::Diagnostic;
using diag::Severity;

constexpr std::size_t kMaxMetadataBytes = std::size_t{16} << 20U;

std::optional<layout::Metadata> metadata_of(const fs::path& folder) {
    const auto text = support::read_file(folder / "metadata.json", kMaxMetadataBytes);
    if (!text)
        return std::nullopt;
    auto metadata = layout::read_metadata(*text);
    return metadata ? std::optional(std::move(*metadata)) : std::nullopt;
}

Shape shape_of(const VariantReport& variant) {
    const auto name =
        variant.metadata ? model::KernelName::parse(variant.metadata->name) : std::nullopt;
    if (!name || !support::is_file(variant.folder / name->module() / "__init__.py"))
        return Shape::flat;
    return support::is_file(variant.folder / "__init__.py") ? Shape::transitional : Shape::legacy;
}

void report_error(diag::Sink& sink, const std::string& code, const support::Error& error) {
    auto finding = diag::Diagnostic();
    finding.code = code;
    finding.message = error.message;
    for (const auto& frame : error.context)
        finding.notes.push_back("while " + frame);
    if (!error.hint.empty())
        finding.help.push_back(error.hint);
    sink.report(std::move(finding));
}

/// All libraries of the folder; that the extension cannot be read is said by verify.
void read_libraries(VariantReport& variant, diag::Sink& sink) {
    const auto files = support::list_files(variant.folder);
    if (!files)
        return report_error(sink, "K0601", files.error());
    for (const auto& file : *files) {
        if (file.extension() != ".so")
            continue;
        auto report = inspect::inspect_file(variant.folder / file);
        if (report)
            variant.libraries.push_back(std::move(*report));
        else if (file.filename() != variant.facts.library)
            report_error(sink, "K0601", report.error());
    }
}

VariantReport
look_at(const fs::path& folder, const ExpectationsOf& expectations_of, diag::Collector& findings) {
    VariantReport variant;
    variant.folder = folder;
    variant.name = layout::folder_name(folder);
    variant.variant = model::Variant::parse(variant.name);
    variant.metadata = metadata_of(folder);
    variant.shape = shape_of(variant);
    auto expectations = expectations_of(folder);
    expectations.shown_as = kPlace;
    auto facts = verify::verify_variant(folder, expectations, findings);
    if (facts)
        variant.facts = std::move(*facts);
    else
        report_error(findings, "K0601", facts.error());
    read_libraries(variant, findings);
    lint_libraries(variant, findings);
    lint_folder(variant, findings);
    variant.errors = findings.count(Severity::error);
    variant.warnings = findings.count(Severity::warning);
    return variant;
}

/// With the variant's folder called as in all other findings: errors of reading name its real path.
Diagnostic placed(Diagnostic finding, const fs::path& folder) {
    const auto rename = [&folder](std::string& text) {
        for (const auto& path : {folder.string(), support::display_path(folder)})
            text = support::replace_all(std::move(text), path + "/", std::string(kPlace) + "/");
    };
    rename(finding.message);
    for (auto& note : finding.notes)
        rename(note);
    return finding;
}

/// What makes two findings one.
using Text = std::
    tuple<Severity, std::string, std::string, std::vector<std::string>, std::vector<std::string>>;

Text text_of(const Diagnostic& finding) {
    return {finding.severity, finding.code, finding.message, finding.notes, finding.help};
}

bool is_worse(const Finding& a, const Finding& b) {
    // What is about all variants together concerns more of them than anything else.
    const auto key = [](const Finding& finding) {
        const auto reach =
            finding.variants.empty() ? 0 : -static_cast<int>(finding.variants.size());
        return std::tuple(-static_cast<int>(finding.what.severity),
                          !finding.variants.empty(),
                          reach,
                          finding.what.code,
                          finding.what.message,
                          finding.variants);
    };
    return key(a) < key(b);
}

} // namespace

std::string_view to_string(Shape shape) {
    switch (shape) {
    case Shape::flat:
        return "flat";
    case Shape::transitional:
        return "transitional";
    case Shape::legacy:
        return "legacy";
    }
    return "";
}

std::size_t Report::count(Severity severity) const {
    return static_cast<std::size_t>(
        std::count_if(findings.begin(), findings.end(), [severity](const Finding& finding) {
            return finding.what.severity == severity;
        }));
}

std::string place_of(const VariantReport& variant, const fs::path& path) {
    return (fs::path(kPlace) / path.lexically_relative(variant.folder)).generic_string();
}

Report audit(const std::vector<fs::path>& folders, const ExpectationsOf& expectations) {
    Report report;
    std::map<Text, Finding> findings;
    const auto add = [&findings](Diagnostic what) -> Finding& {
        auto& finding = findings[text_of(what)];
        finding.what = std::move(what);
        return finding;
    };
    for (const auto& folder : folders) {
        diag::Collector found;
        report.variants.push_back(look_at(folder, expectations, found));
        for (auto& what : found.sorted())
            add(placed(std::move(what), folder)).variants.push_back(report.variants.back().name);
    }
    std::sort(report.variants.begin(), report.variants.end(), [](const auto& a, const auto& b) {
        return std::tie(a.name, a.folder) < std::tie(b.name, b.folder);
    });
    diag::Collector together;
    lint_together(report.variants, together);
    for (auto& what : together.sorted())
        add(std::move(what));
    for (auto& [text, finding] : findings) {
        std::sort(finding.variants.begin(), finding.variants.end());
        report.findings.push_back(std::move(finding));
    }
    std::sort(report.findings.begin(), report.findings.end(), is_worse);
    return report;
}

} // namespace kbuild::audit
