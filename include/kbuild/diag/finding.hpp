#pragma once

#include "kbuild/diag/diagnostic.hpp"

#include <string>
#include <utility>

namespace kbuild::diag {

/// A diagnostic with what nearly all have: code, message, place, and what is underlined there.
inline Diagnostic finding(
    Severity severity, std::string code, std::string message, SourceSpan span, std::string label) {
    Diagnostic result;
    result.severity = severity;
    result.code = std::move(code);
    result.message = std::move(message);
    result.span = std::move(span);
    result.label = std::move(label);
    return result;
}

inline Diagnostic
mistake(std::string code, std::string message, SourceSpan span, std::string label) {
    return finding(
        Severity::error, std::move(code), std::move(message), std::move(span), std::move(label));
}

inline Diagnostic
warning(std::string code, std::string message, SourceSpan span, std::string label) {
    return finding(
        Severity::warning, std::move(code), std::move(message), std::move(span), std::move(label));
}

} // namespace kbuild::diag
