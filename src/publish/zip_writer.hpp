#pragma once

#include "kbuild/support/result.hpp"

#include <string>
#include <vector>

namespace kbuild::publish {

struct ZipEntry {
    std::string path;
    std::string content;
};

/// A zip archive with the entries in their order, without times and owners: equal entries give
/// equal bytes. Libraries are executable, everything else is not.
support::Result<std::string> zip_bytes(const std::vector<ZipEntry>& entries);

} // namespace kbuild::publish
