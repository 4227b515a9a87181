#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kbuild::verify {

/// Of some names: which of torch's libraries (`libtorch_cpu.so`) export each; names that none
/// exports are not in it.
using Exporters = std::map<std::string, std::set<std::string>>;

/// Looks for `names` in the export lists of an SDK (`<library>.txt`, one name a line).
support::Result<Exporters> find_exporters(const std::set<std::string>& names,
                                          const std::filesystem::path& symbols_dir);

/// `needed` and the torch libraries that come with them when they are loaded: libtorch_hip brings
/// libc10_hip and so on.
std::set<std::string> with_dependencies(const std::vector<std::string>& needed);

} // namespace kbuild::verify
