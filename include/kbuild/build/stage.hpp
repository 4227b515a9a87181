#pragma once

#include "kbuild/build/plan.hpp"
#include "kbuild/build/work_folder.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/layout/metadata.hpp"
#include "kbuild/model/budget.hpp"
#include "kbuild/portable/baseline.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/host.hpp"
#include "kbuild/verify/verify.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::build {

/// What a published variant amounts to.
struct Published {
    std::filesystem::path path; ///< `build/<variant>`
    bool fresh = false;         ///< the same bytes were there already; nothing was written
    verify::VariantFacts facts;
};

/// One command of a variant's build: a compile of one source, or the link. Paths are symbolic:
/// relative to the project, `${torch@2.13}/…`, `${rocm@6.4}/…`, `${baseline}/…`.
struct RecordedCommand {
    std::string tool;                   ///< `host`, or the SDK whose compiler runs: `rocm@6.4`
    std::string source;                 ///< empty for the link
    std::vector<std::string> arguments; ///< in the command's order
};

/// The commands of each variant of a plan, by its target. Which driver starts an SDK's compiler
/// makes no difference to the bytes and is not among them.
std::map<std::string, std::vector<RecordedCommand>> record_commands(const Plan& plan,
                                                                    const PlanInputs& inputs);

/// What goes into metadata.json and build-provenance.json besides what is read from the file.
struct StageInputs {
    std::filesystem::path root;                       ///< the project
    std::optional<layout::CommitState> kernel_commit; ///< of the project's repository
    std::string policy = "none";                      ///< that the variants must keep to
    std::optional<portable::Baseline> baseline;       ///< what they were linked with
    toolchain::HostTools tools;
    std::map<std::string, std::vector<RecordedCommand>> commands; ///< of record_commands()
    std::vector<model::Budget> budgets;                           ///< of kbuild.toml
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
