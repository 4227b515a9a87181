#pragma once

#include "kbuild/cli/command.hpp"
#include "kbuild/publish/accept.hpp"
#include "kbuild/support/result.hpp"

#include <optional>
#include <string>

namespace kbuild::cli {

/// A machine as the command line describes it: `--torch 2.13 --rocm 7.2 --python 3.12 --gpu
/// gfx942`.
struct DescribedMachine {
    std::string torch;
    std::string rocm;
    std::string python; ///< `3.12`, `3.14t`
    std::string gpu;

    void declare(Options& app);
    bool is_given() const;
    /// An Error of kind `usage` for what is no version.
    support::Result<publish::Machine> machine() const;
};

/// Which of the variants in `dir` the loader takes on that machine, the first reason against each
/// other one in the loader's own order, and whether the GPU's code is in it. Kind `nothing` if none
/// is taken, `content` if the one that is taken cannot run there.
support::Result<int> explain_variants(const Context& context,
                                      const DescribedMachine& described,
                                      const std::string& dir,
                                      const std::string& format);

} // namespace kbuild::cli
