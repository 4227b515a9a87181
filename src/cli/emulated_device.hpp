#pragma once

#include "project_environment.hpp"

#include "kbuild/cli/options.hpp"
#include "kbuild/model/variant.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/find.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::cli {

/// What `test` and `shell` take for the emulated device.
struct DeviceOptions {
    bool emulate = false;
    std::string devices; ///< how many
    std::string memory;  ///< bytes of each
    std::vector<std::string> checks;

    void declare(Options& app);
    /// An Error of kind `usage` for numbers that make no sense, or options without `--emulate`.
    support::Result<void> validate() const;
};

/// A Python and the environment variables with which it sees a ROCm torch and one MI300X or
/// several.
struct EmulatedPython {
    std::filesystem::path python;
    Variables variables;
};

/// The ROCm and the torch of `variant` on the emulated device; what has to be fetched for it is
/// fetched, once (testbed/python_environment.hpp). Errors: `nothing` for a variant that is not for
/// ROCm, `toolchain` without the SDKs of its versions.
support::Result<EmulatedPython> emulated_python(const Context& context,
                                                const Project& project,
                                                const model::Variant& variant,
                                                const toolchain::FoundSdks& sdks,
                                                const DeviceOptions& options,
                                                const std::string& python);

/// Why the variant cannot run on the emulated device; empty if it can.
std::string emulation_obstacle(const model::Variant& variant, const toolchain::FoundSdks& sdks);

} // namespace kbuild::cli
