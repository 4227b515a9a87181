#pragma once

#include "kbuild/inspect/device_code.hpp"
#include "kbuild/inspect/host_code.hpp"

#include <cstdint>
#include <filesystem>

namespace kbuild::inspect {

/// Everything that is read from one file.
struct FileReport {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    DeviceCode code;
    HostCode host; ///< empty for code objects and files of bundles
};

/// Errors as those of read_device_code().
support::Result<FileReport> inspect_file(const std::filesystem::path& path);

} // namespace kbuild::inspect
