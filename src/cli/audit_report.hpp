#pragma once

#include "kbuild/audit/audit.hpp"

#include <string>

/// The shapes of an audit's report. `what` is what was asked to be audited, as it was written.
namespace kbuild::cli {

/// Findings, worst first, then a table of the variants and a line that counts.
std::string audit_text(const audit::Report& report);

/// docs/reference/audit.md.
std::string audit_json(const audit::Report& report, const std::string& what);

/// A page of its own (ui/html.hpp).
std::string audit_html(const audit::Report& report, const std::string& what);

/// `3 errors, 1 warning, 4 notes in 2 variants`.
std::string audit_count(const audit::Report& report);

/// `2 errors`, `1 warning`, `ok`.
std::string result_of(const audit::VariantReport& variant);

/// The variants that a finding is about; `all` of the report's for one that is about them together.
std::string variants_of(const audit::Finding& finding, const audit::Report& report);

} // namespace kbuild::cli
