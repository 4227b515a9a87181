#pragma once

#include <map>
#include <string>

namespace kbuild::model {

/// Files to be written: path relative to some root (with `/`) -> bytes. Ordered, so that all output
/// is.
using FileSet = std::map<std::string, std::string>;

} // namespace kbuild::model
