#pragma once

#include "kbuild/build/compiler_cache.hpp"
#include "kbuild/build/plan.hpp"
#include "kbuild/build/timings.hpp"
#include "kbuild/build/watcher.hpp"
#include "kbuild/build/work_folder.hpp"
#include "kbuild/step/message.hpp"
#include "kbuild/support/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::build {

/// A build step that failed: what was made, by which command, and what the command said.
struct FailedStep {
    std::string output; ///< Ninja's name of it: `rocm64/CMakeFiles/…/gemm.hip.o`
    std::string command;
    std::string said;
    std::optional<step::Killed> killed; ///< a compile that was killed also when it ran alone
};

/// What the compile stage did.
struct Compiled {
    std::size_t compiles = 0; ///< compile steps that were run
    std::size_t links = 0;
    CacheCounts cache; ///< of the compile steps; none without a cache
    double seconds = 0;
    std::vector<TimedStep> steps; ///< what Ninja ran, by when it began
    std::vector<FailedStep> failed;
    std::vector<std::string>
        warnings; ///< what went wrong without harm: a compile that was killed once
    std::vector<std::string> up_to_date; ///< targets of the plan's variants that are complete
};

struct CompileOptionsOfRun {
    unsigned jobs = 1; ///< at a time
    bool keep_going = true;
    bool explain = false;       ///< say first why each step is done
    std::uint64_t memory = 0;   ///< bytes for heavy compiles together; 0: a share of what is free
    Watcher* watcher = nullptr; ///< is told what happens; may be null
};

/// Runs one Ninja over all trees for the libraries of all variants. Steps that fail are part of the
/// result. Log: `.kbuild/logs/ninja.log`.
support::Result<Compiled> compile(const Plan& plan,
                                  const WorkFolder& folder,
                                  const toolchain::HostTools& tools,
                                  const CompileOptionsOfRun& options);

} // namespace kbuild::build
