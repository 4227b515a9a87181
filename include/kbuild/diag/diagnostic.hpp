#pragma once

#include "kbuild/diag/source.hpp"

#include <string>
#include <vector>

namespace kbuild::diag {

enum class Severity { note, warning, error };

/// Another place that matters for a diagnostic, with what it shows there.
struct Label {
    SourceSpan span;
    std::string text;
};

/// One finding about the user's files: a stable code, what is wrong, where, why, and what to do.
///
/// Wording: lower case, no full stop, back-ticks around names. `help` entries each are one way to
/// mend it.
struct Diagnostic {
    Severity severity = Severity::error;
    std::string code; ///< `K0104`; registered in diag/codes.cpp with a page in data/errors/
    std::string message;
    SourceSpan span;            ///< the main place; may be «no place»
    std::string label;          ///< what is underlined there
    std::vector<Label> related; ///< other places involved
    std::vector<std::string> notes;
    std::vector<std::string> help;
};

} // namespace kbuild::diag
