#pragma once

#include <string>
#include <vector>

namespace kbuild::ui {

/// Rows as aligned text, two spaces between columns, numbers not special; the first row is the
/// heading. Trailing blanks are not written.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// The same as a GitHub-flavoured Markdown table.
std::string markdown_table(const std::vector<std::vector<std::string>>& rows);

} // namespace kbuild::ui
