#pragma once

#include "kbuild/inspect/file_report.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::cli {

/// A file that `inspect` looks at.
struct InspectedFile {
    std::filesystem::path path;
    /// How it is called: its path, or for a library of a wheel `x.whl/gemm/_gemm.abi3.so`.
    std::filesystem::path shown;
};

struct InspectedFiles {
    std::vector<InspectedFile> files;
    std::vector<support::TempDir> unpacked; ///< of wheels; they go with this value
};

/// The files that paths name: libraries, code objects, bundles, folders of variants, other folders
/// with all libraries below them, wheels with the libraries in them.
support::Result<InspectedFiles> find_inspected_files(const std::vector<std::string>& paths);

/// As inspect::inspect_file(); report and error call the file as it is shown.
support::Result<inspect::FileReport> inspect_shown(const InspectedFile& file);

} // namespace kbuild::cli
