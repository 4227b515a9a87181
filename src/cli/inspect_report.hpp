#pragma once

#include "kbuild/inspect/file_report.hpp"
#include "kbuild/ui/html.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace kbuild::cli {

/// The files as a person reads them; with `arguments` each kernel's argument segment as well.
std::string inspect_text(const std::vector<inspect::FileReport>& files, bool arguments);

/// All that is known of the files (docs/reference/inspect.md).
std::string inspect_json(const std::vector<inspect::FileReport>& files);

/// The same of one file, for documents that hold more.
nlohmann::ordered_json inspect_json(const inspect::FileReport& file);

/// The files on a page (ui/html.hpp): what they hold, the kernels with bars against the limits of
/// their architecture, the sections. One heading of level `level` (2 or 3) each.
ui::Html inspect_html(const std::vector<inspect::FileReport>& files, int level);

} // namespace kbuild::cli
