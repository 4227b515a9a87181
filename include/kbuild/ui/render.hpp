#pragma once

#include "kbuild/diag/diagnostic.hpp"
#include "kbuild/support/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::ui {

/// Shape of what goes to stderr (`--message-format`).
enum class MessageFormat { human, short_, json, github };

struct Style {
    MessageFormat format = MessageFormat::human;
    bool color = false;
    /// GITHUB_WORKSPACE: annotations name files relative to this folder; empty: as messages do.
    std::string workspace = {};
};

/// `error`, `warning`, `note`.
std::string_view word_of(diag::Severity severity);

/// One diagnostic as text that ends with a newline: a rustc-like snippet, one line, one JSON
/// object, or a GitHub workflow command.
std::string render(const diag::Diagnostic& diagnostic, const Style& style);

/// A failed operation in the same shapes.
std::string render(const support::Error& error, const Style& style);

} // namespace kbuild::ui
