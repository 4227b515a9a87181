#pragma once

#include "kbuild/diag/diagnostic.hpp"

#include <nlohmann/json.hpp>

namespace kbuild::cli {

/// A finding as reports on standard output hold it: severity, code, message, notes, help.
nlohmann::ordered_json finding_json(const diag::Diagnostic& finding);

/// A document as all reports are written: two blanks, a last newline, and bytes of foreign files
/// that are no UTF-8 replaced.
std::string json_text(const nlohmann::ordered_json& document);

} // namespace kbuild::cli
