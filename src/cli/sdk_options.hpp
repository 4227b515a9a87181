#pragma once

#include "kbuild/cli/command.hpp"
#include "kbuild/cli/options.hpp"
#include "kbuild/matrix/select.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/find.hpp"

#include <string>
#include <vector>

namespace kbuild::cli {

/// The options that narrow the matrix and say where SDKs are, the same for every command that
/// selects variants.
struct SelectionOptions {
    std::vector<std::string> variants;
    /// Both hold versions, or paths (with a `/`): where an SDK is, and only that one.
    std::vector<std::string> torch;
    std::vector<std::string> rocm;
    std::vector<std::string> backends;
    bool require_all = false;

    void declare(Options& app);

    /// Whether only some of the variants are asked for.
    bool narrows() const {
        return !variants.empty() || !torch.empty() || !rocm.empty() || !backends.empty();
    }

    /// Where SDKs are looked for: the paths of `--rocm` and `--torch`, ROCM_PATH or HIP_PATH, the
    /// rocm* folders of /opt (KBUILD_OPT_DIR: of another folder), the Python environment in use,
    /// /usr (KBUILD_USR_DIR: another folder), fetched ones. `context`, if there is one, tells when
    /// a torch is prepared.
    support::Result<toolchain::FindOptions> find_options(const Context* context = nullptr) const;

    /// An Error of kind `usage` for what is no version or backend, or for a path without an SDK.
    support::Result<matrix::Filters> filters() const;
};

} // namespace kbuild::cli
