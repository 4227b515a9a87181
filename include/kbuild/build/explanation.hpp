#pragma once

#include "kbuild/build/plan.hpp"
#include "kbuild/build/work_folder.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/host.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::build {

/// Why a file is going to be made.
struct Reason {
    std::string output; ///< relative to the work folder: `rocm72/CMakeFiles/…/gemm.hip.o`
    std::string text;   ///< `gemm/gemm_kernel.h is newer`, `its command changed`, …
    auto operator<=>(const Reason&) const = default;
};

/// Where Ninja ran, and the project that inputs are shown relative to.
struct Folders {
    std::filesystem::path work;
    std::filesystem::path project;
};

/// Reads what `ninja -d explain` prints. Per output the first reason, which is the cause: files
/// that only follow from another one are left out. Sorted by output.
std::vector<Reason> read_explanation(std::string_view printed, const Folders& folders);

/// What would be made now, and why, without making it. The trees have to be configured.
support::Result<std::vector<Reason>> explain(const Plan& plan,
                                             const WorkFolder& folder,
                                             const toolchain::HostTools& tools,
                                             const std::filesystem::path& root);

} // namespace kbuild::build
