#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::config {

/// One line of `[tool.kernels.dependencies]`: `"owner/name" = 1`.
struct KernelRequirement {
    std::string repo_id;
    std::uint64_t version = 0;
};

/// What a Python project's pyproject.toml says of the kernels it needs, in the file's order. An
/// Error of kind `config` if there is no such file or table, or a value is no version.
support::Result<std::vector<KernelRequirement>>
read_kernel_requirements(const std::filesystem::path& project, diag::Sink& sink);

} // namespace kbuild::config
