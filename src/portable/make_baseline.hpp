#pragma once

#include "host_libraries.hpp"

#include "kbuild/portable/baseline.hpp"

namespace kbuild::portable {

/// Fills an empty folder with stubs, linker scripts, supplements and the list of newer names.
support::Result<void> make_baseline(const std::filesystem::path& folder,
                                    const HostLibraries& libraries,
                                    const BaselineRequest& request);

/// Names of what is linked before torch's libraries, in link order.
std::vector<std::string> linked_first();

/// Name of the list that newer_names() reads: `<name> <version> <library>` a line.
constexpr const char* kNewerNames = "newer-names.txt";

/// Text that all parts of a baseline which kbuild brings are made from; part of its key.
std::string supplement_sources();

} // namespace kbuild::portable
