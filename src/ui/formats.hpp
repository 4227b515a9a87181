#pragma once

#include "kbuild/diag/diagnostic.hpp"
#include "kbuild/support/error.hpp"

#include <string>

/// One function per shape of `--message-format`; render.cpp chooses.
namespace kbuild::ui {

std::string human(const diag::Diagnostic& diagnostic, bool color);
std::string human(const support::Error& error, bool color);

std::string brief(const diag::Diagnostic& diagnostic, bool color);
std::string brief(const support::Error& error, bool color);

/// One JSON object on one line: `{"reason":"diagnostic", …}`, `{"reason":"error", …}`.
std::string json(const diag::Diagnostic& diagnostic);
std::string json(const support::Error& error);

/// A GitHub workflow command: `::error file=…,line=…,col=…,title=K0104::message`; the file is
/// relative to `workspace` if it is inside it.
std::string github(const diag::Diagnostic& diagnostic, const std::string& workspace);
std::string github(const support::Error& error, const std::string& workspace);

} // namespace kbuild::ui
