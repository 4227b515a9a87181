#pragma once

#include "kbuild/diag/diagnostic.hpp"

#include <string>
#include <utility>

namespace kbuild::check {

/// A diagnostic with what all of this domain have: code, message, place, and what is underlined
/// there.
inline diag::Diagnostic finding(diag::Severity severity,
                                std::string code,
                                std::string message,
                                diag::SourceSpan span,
                                std::string label) {
    diag::Diagnostic result;
    result.severity = severity;
    result.code = std::move(code);
    result.message = std::move(message);
    result.span = std::move(span);
    result.label = std::move(label);
    return result;
}

inline diag::Diagnostic
mistake(std::string code, std::string message, diag::SourceSpan span, std::string label) {
    return finding(diag::Severity::error,
                   std::move(code),
                   std::move(message),
                   std::move(span),
                   std::move(label));
}

inline diag::Diagnostic
warning(std::string code, std::string message, diag::SourceSpan span, std::string label) {
    return finding(diag::Severity::warning,
                   std::move(code),
                   std::move(message),
                   std::move(span),
                   std::move(label));
}

} // namespace kbuild::check
