#pragma once

#include "kbuild/build/compile.hpp"
#include "kbuild/build/compile_passes.hpp"
#include "kbuild/build/configure.hpp"
#include "kbuild/build/explanation.hpp"
#include "kbuild/build/plan.hpp"
#include "kbuild/build/stage.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/support/result.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::build {

/// One line of the final table.
struct VariantResult {
    PlannedVariant planned;
    using State = VariantState;
    State state = State::built;
    double seconds = 0; ///< of staging, checking and publishing
    std::optional<Published> published;
};

/// What a build did, stage by stage.
struct BuildResult {
    CompilePasses passes;
    Configured configured;
    std::vector<Reason> reasons; ///< why steps were done, if that was asked for
    Compiled compiled;
    std::vector<VariantResult> variants; ///< sorted by name
    bool ok() const;
    /// 0, 1 if a compile failed, 6 if only checks of finished files failed.
    int exit_code() const;
};

struct BuildInputs {
    const config::BuildConfig& config;
    std::filesystem::path root;
    WorkFolder folder;
    toolchain::HostTools tools;
    StageInputs stage;
    PassOptions passes;
    CompileOptionsOfRun run;
};

/// Configures, compiles, stages, verifies and publishes a plan. Failures of single variants are
/// part of the result (and reported to `sink`); an Error means that nothing more could be done.
support::Result<BuildResult> build(const Plan& plan, const BuildInputs& inputs, diag::Sink& sink);

} // namespace kbuild::build
