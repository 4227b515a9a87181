#pragma once

#include "kbuild/inspect/file_report.hpp"

#include <string>
#include <vector>

namespace kbuild::cli {

/// The files as a person reads them; with `arguments` each kernel's argument segment as well.
std::string inspect_text(const std::vector<inspect::FileReport>& files, bool arguments);

/// All that is known of the files (docs/reference/inspect.md).
std::string inspect_json(const std::vector<inspect::FileReport>& files);

/// `1.5 MiB`, `320 B`.
std::string readable_size(std::uint64_t bytes);

} // namespace kbuild::cli
