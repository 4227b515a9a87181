#pragma once

#include "kbuild/diag/diagnostic.hpp"
#include "kbuild/inspect/file_report.hpp"
#include "kbuild/layout/metadata.hpp"
#include "kbuild/model/variant.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/verify/verify.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::audit {

/// How the three shapes of a variant's folder are called that loaders take or took (upstream.md
/// 4.3).
enum class Shape {
    flat,         ///< everything in the variant's folder
    transitional, ///< flat, and a folder named like the module that imports it
    legacy        ///< everything in a folder named like the module
};

std::string_view to_string(Shape shape); ///< `flat`, `transitional`, `legacy`

/// What is known of one variant.
struct VariantReport {
    std::string name; ///< of the folder
    std::filesystem::path folder;
    std::optional<model::Variant> variant;    ///< none: no loader knows such a name
    std::optional<layout::Metadata> metadata; ///< none: it cannot be read
    Shape shape = Shape::flat;
    verify::VariantFacts facts;
    std::vector<inspect::FileReport> libraries; ///< all `*.so` that can be read, by path
    std::size_t errors = 0;
    std::size_t warnings = 0;
};

/// One finding, and the variants that it is about.
struct Finding {
    diag::Diagnostic what;             ///< places are relative to the variant: `<variant>/x.so`
    std::vector<std::string> variants; ///< sorted; empty: it is about all of them together
};

struct Report {
    std::vector<VariantReport> variants;              ///< by name
    std::vector<Finding> findings;                    ///< worst first
    std::size_t count(diag::Severity severity) const; ///< findings of that severity
};

/// What a variant is checked against beyond what it says of itself.
using ExpectationsOf = std::function<verify::Expectations(const std::filesystem::path& folder)>;

/// Everything that can be said of finished variants without sources, SDK and GPU: the checks of
/// verify, the figures of inspect, what people should know before they use or publish them (K0740
/// to K0747), and where variants of one kernel contradict each other. What cannot be read is a
/// finding, and the rest is looked at all the same. Findings of the same text are one, with all
/// variants that they are about; they stand by severity, then by the number of variants.
Report audit(const std::vector<std::filesystem::path>& folders, const ExpectationsOf& expectations);

} // namespace kbuild::audit
