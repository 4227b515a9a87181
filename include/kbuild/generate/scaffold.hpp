#pragma once

#include "kbuild/model/backend.hpp"
#include "kbuild/model/file_set.hpp"
#include "kbuild/support/result.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::generate {

/// What `kbuild init` was asked for.
struct ScaffoldOptions {
    std::string template_name = "elementwise";
    std::optional<std::string> owner; ///< without one there is no repo-id
    std::string repo;                 ///< `my-kernel`, `My_Kernel`
    std::string license = "Apache-2.0";
    std::vector<model::Backend> backends; ///< cpu, rocm; empty: all that the template has
};

/// The files of a new project. Names follow upstream (upstream.md 1.3): display name with dashes,
/// module name in lower case with underscores. An Error of kind `usage` if the repository's name
/// makes no kernel name, there is no such template, or it cannot do without a backend.
support::Result<model::FileSet> scaffold(const ScaffoldOptions& options);

/// Names of the templates, sorted.
std::vector<std::string> template_names();

/// `text` with every `@key@` replaced. A key that is not in `values` stays as it is: file contents
/// may hold other `@`.
std::string fill(std::string_view text, const std::map<std::string, std::string>& values);

/// `text` without the lines between `@if name@` and `@end@` if `name` is not in `names`; these
/// lines themselves go too.
std::string keep_blocks(std::string_view text, const std::set<std::string>& names);

} // namespace kbuild::generate
