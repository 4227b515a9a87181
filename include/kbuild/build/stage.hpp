#pragma once

#include "kbuild/build/plan.hpp"
#include "kbuild/build/work_folder.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/layout/metadata.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/verify/verify.hpp"

#include <filesystem>
#include <optional>

namespace kbuild::build {

/// What a published variant amounts to.
struct Published {
    std::filesystem::path path; ///< `build/<variant>`
    bool fresh = false;         ///< the same bytes were there already; nothing was written
    verify::VariantFacts facts;
};

/// What goes into metadata.json besides what is read from the file.
struct StageInputs {
    std::filesystem::path root;                       ///< the project
    std::optional<layout::CommitState> kernel_commit; ///< of the project's repository
};

/// Lays one variant out in the stage folder (Python and data files of torch-ext/<module>,
/// `_ops.py`, the library, metadata.json with the archs read from the library), verifies it and
/// publishes it as `build/<variant>` in one step. Findings go to `sink`; if any is an error nothing
/// is published and the result is empty.
support::Result<std::optional<Published>> stage_and_publish(const PlannedVariant& variant,
                                                            const config::BuildConfig& config,
                                                            const WorkFolder& folder,
                                                            const StageInputs& inputs,
                                                            diag::Sink& sink);

} // namespace kbuild::build
