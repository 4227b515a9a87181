#pragma once

#include "kbuild/inspect/diff.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/ui/html.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::cli {

/// The measures of `--fail-on`; an Error of kind `usage` names those that there are.
support::Result<std::vector<inspect::Measure>>
parse_measures(const std::vector<std::string>& names);

/// One line per change, `no difference` if there is none.
std::string diff_text(const std::vector<inspect::Change>& changes);
std::string diff_json(const std::vector<inspect::Change>& changes);

/// A table of the changes for a page, those for the worse marked.
ui::Html diff_html(const std::vector<inspect::Change>& changes,
                   const std::filesystem::path& before,
                   const std::filesystem::path& after);

/// An Error of kind `content` that names the regressions in `fail_on`, if there are some.
support::Result<void> check_regressions(const std::vector<inspect::Change>& changes,
                                        const std::vector<inspect::Measure>& fail_on);

} // namespace kbuild::cli
